"""Moves the words of local memory to multiples of 8, where LLVM has cut a struct at 4 bytes before them.

SROA gives a part of a struct a slot of its own: the tail behind an `int`, which begins with padding. Its numbers would
lie at 4 modulo 8, as in packed records. The slot gets as many bytes in front as are missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...analysis.callees import plain_name
from ...analysis.integers.offsets import addresses_from, constant_place
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.instructions import ACCESSES
from ...ir.types import I8, ArrayType, FloatType, IntType, PointerType, Type, scalar, store_size
from ...ir.values import Argument, Function, Instruction, Value
from ...rules.memory_functions import heap_family

_WORD = 8
_COPIES = ("@llvm.memcpy.", "@llvm.memmove.")
_ALIGN = re.compile(r"\balign (\d+)")


def align_slots(function: Function) -> None:
    """Rewrites the function in place."""
    for slot in [i for i in function.instructions() if i.opcode == "alloca" and not i.operands]:
        if slot.memory.align is not None and slot.memory.align < _WORD:
            begins = set(_begins_of_words(slot))
            if len(begins) == 1 and begins != {0}:
                _move(slot, _WORD - begins.pop())


def _begins_of_words(slot: Instruction) -> Iterator[int]:
    """Yields where words begin, modulo 8, by each access or copy that tells it."""
    for address in addresses_from(slot):
        base, offset = constant_place(address)
        for user in address.users if base is slot else ():
            if user.opcode in ACCESSES and user.operands[-1] is address and _is_word(_accessed(user)):
                yield offset % _WORD
            elif user.callee_name.startswith(_COPIES):
                yield from ((offset - other) % _WORD for other in _other_places(user, address))


def _accessed(access: Instruction) -> Type:
    return access.type if access.opcode == "load" else access.operands[0].type


def _is_word(type_: Type) -> bool:
    element = scalar(type_)
    return isinstance(element, FloatType | IntType | PointerType) and store_size(element) == _WORD


def _other_places(copy: Instruction, address: Value) -> Iterator[int]:
    """Yields the offset of the copy's other side in memory that begins at a multiple of 8."""
    for k in (0, 1):
        base, offset = constant_place(copy.arguments[k])
        if copy.arguments[k] is not address and _alignment(base) >= _WORD:
            yield offset
        elif copy.arguments[k] is not address and _align_of(copy.call.argument_attributes[k]) >= _WORD:
            yield 0


def _alignment(base: Value) -> int:
    if isinstance(base, Argument):
        return _align_of(base.attributes)
    if isinstance(base, GlobalRef) or not isinstance(base, Instruction):
        return 1
    if base.opcode == "alloca":
        return base.memory.align or 1
    is_block = base.is_call and heap_family(plain_name(base.callee_name)) is not None
    return _WORD if is_block else 1


def _align_of(attributes: str) -> int:
    found = _ALIGN.search(attributes)
    return int(found[1]) if found else 1


def _move(slot: Instruction, front: int) -> None:
    """Gives the slot bytes in front."""
    assert slot.memory.accessed is not None
    b = Builder.before(slot)
    larger = b.alloca(ArrayType(I8, front + store_size(slot.memory.accessed)), align=_WORD)
    moved = b.offset(larger, front, ())
    for user in list(slot.users):
        user.replace_operand(slot, larger if user.is_lifetime_marker else moved)
    slot.erase()
