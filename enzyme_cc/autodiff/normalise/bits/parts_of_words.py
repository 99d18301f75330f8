"""Loads and stores the parts of a word as what they are: numbers, pointers and integers. Rewrites in place.

LLVM moves unions and small structs as integers, and packs what is stored side by side.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import accumulate
from operator import itemgetter, or_

from ....analysis.values.flow import origins
from ....ir.builder import Builder
from ....ir.constants import ConstantExpr, ConstantInt
from ....ir.folding import int_constant
from ....ir.graphs import reachable
from ....ir.instructions import INTO_INTEGER, OUT_OF_INTEGER
from ....ir.types import I64, FloatType, IntType, VectorType, scalar, store_size
from ....ir.value_edges import COPIED, PACKS
from ....ir.values import Function, Instruction, Value

_LARGEST = 8


def load_as_read(function: Function) -> None:
    """Loads a number or pointer directly where the code loads an integer and casts it. Rewrites in place.

    A float in a part of a larger word is loaded directly, too, as if it were a member of a union with a double.
    """
    for i in list(function.instructions()):
        if i.opcode != "load" or {"atomic", "volatile"} & set(i.flags):
            continue
        if isinstance(i.type, IntType):
            for user in [u for u in i.users if u.opcode in OUT_OF_INTEGER]:
                load_instead(i, user, 0)
        if isinstance(i.type, IntType | FloatType):
            load_parts(i, i, 0)


def store_as_made(function: Function) -> None:
    """Stores each part of a packed integer by itself if one of them is of floats, or if it is wider than a pointer.

    So it does with each lane of a vector of words that is made of these. Stores of numbers are left without a type.
    Rewrites in place.
    """
    for i in list(function.instructions()):
        if i.opcode == "store" and not {"atomic", "volatile"} & set(i.flags):
            if _is_number(i.operands[0]):
                _without_type(i)
            else:
                store_parts(i)


def take_addresses(function: Function) -> None:
    """Makes instructions of constants that are addresses as integers: these have shadows. Rewrites in place."""
    for i in list(function.instructions()):
        for k, operand in enumerate(i.operands):
            if isinstance(operand, ConstantExpr) and operand.opcode == "ptrtoint":
                before = i.incoming[k // 2][1].instructions[-1] if i.opcode == "phi" else i
                i.set_operand(k, Builder.before(before).cast("ptrtoint", operand.operands[0], operand.type))


def load_instead(load: Instruction, cast: Instruction, at: int) -> None:
    """Replaces a cast of a loaded value's bytes, from byte `at` on, by a load of these bytes."""
    b = Builder.before(load)
    read = b.load(cast.type, b.offset(load.operands[0], at, ()), load.memory.align if at == 0 else 1)
    cast.replace_uses(read)
    cast.erase()


def store_parts(store: Instruction) -> None:
    """Replaces the store of a packed integer by stores of its parts, if that is needed (see store_as_made)."""
    packed, pointer = store.operands
    parts = sorted(_whole_parts(packed), key=itemgetter(0))
    if [at for at, _ in parts] != list(accumulate((store_size(p.type) for _, p in parts[:-1]), initial=0)):
        return
    whole = sum(store_size(part.type) for _, part in parts) == store_size(packed.type)
    is_wide = len(parts) > 1 and store_size(packed.type) > _LARGEST
    if whole and (is_wide or any(_may_be_float(part) for _, part in parts)):
        b = Builder.before(store)
        for at, part in parts:
            align = store.memory.align if at == 0 else 1
            b.store(part, b.offset(pointer, at), align)
        store.erase()


def _is_number(stored: Value) -> bool:
    """Returns whether floats are stored as they are."""
    is_cast = isinstance(stored, Instruction) and stored.opcode == "bitcast"
    return isinstance(scalar(stored.type), FloatType) and not is_cast


def _without_type(store: Instruction) -> None:
    """Takes the type of the access away: the memory may hold something else at another time.

    The reverse sweep accesses its shadow in the opposite order. LLVM must not exchange accesses of two types there.
    """
    store.metadata = tuple((kind, node) for kind, node in store.metadata if kind == "!dbg")


def _parts(packed: Value, at: int = 0) -> list[tuple[int, Value]]:
    """Returns the parts of an integer that `or` packs, each with its byte."""
    if not isinstance(packed, Instruction):
        return [(at, packed)]
    if packed.opcode == "insertelement" and isinstance(packed.type, VectorType):
        return _lanes(packed, packed.type, at)
    if isinstance(packed.type, VectorType):  # zext widens each lane
        return [(at, packed)]
    if packed.opcode == "or" and "disjoint" in packed.flags:
        return [part for operand in packed.operands for part in _parts(operand, at)]
    if packed.opcode == "shl" and isinstance(packed.operands[1], ConstantInt) and packed.operands[1].value % 8 == 0:
        return _parts(packed.operands[0], at + packed.operands[1].value // 8)
    if packed.opcode == "zext":
        return _parts(packed.operands[0], at)
    if packed.opcode == "bitcast" and isinstance(scalar(packed.operands[0].type), FloatType):
        return [(at, packed.operands[0])]
    return [(at, packed)]


def _whole_parts(packed: Value) -> list[tuple[int, Value]]:
    """Returns the parts, and what lies between them: constants, or zero."""
    if not isinstance(packed, Instruction) or packed.opcode not in PACKS:
        return _parts(packed)
    start: list[Value] = [packed]
    ends = [v for v in reachable(start, _joined) if not _joined(v)]
    parts = [part for v in ends if not isinstance(v, ConstantInt) for part in _parts(v)]
    bits = reduce(or_, (v.value for v in ends if isinstance(v, ConstantInt)), 0)
    if any(_bytes_of(bits, at, store_size(part.type)) for at, part in parts):  # the constant changes a part
        return [(0, packed)]
    between = [(at, IntType(8 * size)) for at, size in _gaps(store_size(packed.type), parts)]
    return parts + [(at, int_constant(_bytes_of(bits, at, store_size(type_)), type_)) for at, type_ in between]


def _joined(v: Value) -> list[Value]:
    return v.operands if isinstance(v, Instruction) and v.opcode == "or" and "disjoint" in v.flags else []


def _bytes_of(bits: int, at: int, size: int) -> int:
    return bits >> 8 * at & ((1 << 8 * size) - 1)


def _gaps(size: int, parts: list[tuple[int, Value]]) -> list[tuple[int, int]]:
    """Returns offset and length of what the parts leave of so many bytes."""
    taken = {byte for at, part in parts for byte in range(at, at + store_size(part.type))}
    free = [byte for byte in range(size) if byte not in taken]
    starts = [byte for byte in free if byte - 1 not in free]
    ends = [byte + 1 for byte in free if byte + 1 not in free]
    return [(start, end - start) for start, end in zip(starts, ends, strict=True)]


def _may_be_float(part: Value) -> bool:
    """Returns whether the part is a float, or an integer that is the bits of a float at some time."""
    if not isinstance(part, Instruction) or isinstance(part.type, VectorType | FloatType):
        return isinstance(scalar(part.type), FloatType)
    return any(i.opcode == "bitcast" and isinstance(i.operands[0].type, FloatType) for i in copied(part))


def _lanes(vector: Value, type_: VectorType, at: int) -> list[tuple[int, Value]]:
    """Returns the lanes of a vector of words, each with its byte; the vector itself if one of them is unknown."""
    found: dict[int, Value] = {}
    v: Value = vector
    while isinstance(v, Instruction) and v.opcode == "insertelement" and isinstance(v.operands[2], ConstantInt):
        found.setdefault(v.operands[2].value, v.operands[1])
        v = v.operands[0]
    if type_.element != I64 or sorted(found) != list(range(type_.count)):
        return [(at, vector)]
    return [(at + _LARGEST * lane, word) for lane, word in found.items()]


def load_parts(load: Instruction, part: Instruction, at: int) -> int:
    """Loads the numbers and pointers that are extracted from a loaded word's bits. Returns their count.

    `part` is what the code has extracted so far; it begins at byte `at` of the word.
    """
    found = 0
    for user in list(part.users):
        taken = 0
        if user.opcode == "trunc" or (user.opcode in INTO_INTEGER and isinstance(user.type, IntType)):
            taken = load_parts(load, user, at)
        elif user.opcode == "lshr" and isinstance(user.operands[1], ConstantInt) and user.operands[1].value % 8 == 0:
            narrow = [u for u in user.users if u.opcode == "trunc"]
            taken = sum(load_parts(load, u, at + user.operands[1].value // 8) for u in narrow)
            _erase_unused(narrow)
        elif _is_read(load, part, user):
            load_instead(load, user, at)
            found += 1
        if taken:
            _erase_unused([user])
        found += taken
    return found


def _erase_unused(parts: Iterable[Instruction]) -> None:
    for part in parts:
        if not part.users:
            part.erase()


def _is_read(load: Instruction, part: Instruction, user: Instruction) -> bool:
    """True if the user reads the part as a number, or as a pointer what was loaded as a number."""
    if user.opcode == "bitcast":
        return isinstance(user.type, FloatType | VectorType)
    is_pointer = user.opcode == "inttoptr" and isinstance(load.type, FloatType)
    return is_pointer and store_size(part.type) == store_size(user.type)


def copied(word: Instruction) -> Iterable[Instruction]:
    """The word, and the instructions whose results it may be without any computation."""
    return (v for v in origins([word], COPIED) if isinstance(v, Instruction))
