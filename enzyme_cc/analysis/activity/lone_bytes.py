"""Bytes that are members of structs, such as the index of a variant: no parts of numbers.

Code that copies a number byte by byte copies the bytes beside it, too: by further instructions, in a loop, or at an
address that its caller moves. A member has an offset that is not zero, and nothing else in its word is accessed. Loops
over an array beside it, such as the alternative of a variant, access whole words.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.constants import ConstantInt
from ...ir.types import store_size
from ...ir.value_edges import SAME_OBJECT
from ...ir.values import Instruction, Local, Value
from ..integers.offsets import offset_of

_WORD = 8
_COPIES_AND_FILLS = ("@llvm.memcpy.", "@llvm.memmove.", "@llvm.memset.")


def is_lone_byte(place: Value) -> bool:
    """Returns whether a byte that is loaded or stored at the place is a member of a struct."""
    base, offset = _based(place)
    word = offset - offset % _WORD
    if offset < _WORD or not isinstance(base, Local):
        return False
    for start, size in _accesses(base):
        if start is None or size is None:
            return False
        is_beside = start + size <= word or start >= word + _WORD
        is_all = start <= word and start + size >= word + _WORD
        if not is_beside and not is_all and (start, size) != (offset, 1):
            return False
    return True


def _based(place: Value) -> tuple[Value, int]:
    """Returns a pointer and the constant distance of the place from it; 0 if the distance is not constant."""
    offset = 0
    while isinstance(place, Instruction) and place.opcode == "getelementptr":
        distance = offset_of(place.source_type, place.operands[1:])
        if not isinstance(distance, int):
            return place, 0
        offset, place = offset + distance, place.operands[0]
    return place, offset


def _accesses(base: Local) -> Iterator[tuple[int | None, int | None]]:
    """Yields offsets and sizes of what the function accesses from a pointer on; None for what is not known.

    Calls that are given the pointer do not count: what they access is looked at where their own bytes are. A loop that
    goes from struct to struct comes back to the pointer.
    """
    seen, waiting = dict[Local, int](), [(base, 0, False)]
    while waiting:
        pointer, offset, by_words = waiting.pop()
        if pointer in seen:
            if (offset - seen[pointer]) % _WORD:
                yield None, None
            continue
        seen[pointer] = offset
        for user in pointer.users:
            if user.opcode not in SAME_OBJECT:
                found = _accessed(user, pointer, offset)
                yield from (_anywhere(*access) for access in found) if by_words else found
                continue
            distance = offset_of(user.source_type, user.operands[1:]) if user.opcode == "getelementptr" else 0
            if isinstance(distance, int):
                waiting.append((user, offset + distance, by_words))
            elif distance is not None and distance.modulus % _WORD == 0:
                waiting.append((user, offset + distance.value, True))
            else:
                yield None, None


def _anywhere(start: int, size: int | None) -> tuple[int | None, int | None]:
    """Returns bounds for what is accessed in any word: whole words have all bytes of a word, or none."""
    return (0, 0) if size is not None and start % _WORD == size % _WORD == 0 else (None, None)


def _accessed(user: Instruction, pointer: Value, offset: int) -> Iterator[tuple[int, int | None]]:
    if user.opcode == "load":
        yield offset, store_size(user.type)
    elif user.opcode == "store" and user.operands[1] is pointer:
        yield offset, store_size(user.operands[0].type)
    elif user.opcode == "call" and user.callee_name.startswith(_COPIES_AND_FILLS):
        size = user.arguments[2]
        yield offset, size.value if isinstance(size, ConstantInt) else None
