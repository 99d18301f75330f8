"""What one function says by itself, whoever calls it: offsets of address computations, and which integers are numbers.

An integer is *open* if it may only be on its way from one place in memory to another: then it can carry the bits of
floating-point numbers or pointers, and type analysis gives it a register node. All other integers are just integers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from math import gcd
from typing import NamedTuple

from ....ir.types import (
    I1,
    ArrayType,
    IntType,
    NamedStruct,
    StructType,
    Type,
    VectorType,
    alloc_size,
    field_offsets,
    is_float,
    struct_fields,
)
from ....ir.values import Argument, ConstantInt, Function, GlobalRef, Instruction, Local, Value
from ...integers.bits import COMPUTING, made_into_numbers
from ...integers.signs import at_least

_DEPTH = 6
#: what stand-ins say of the distance between elements of an array (toolchain/stand_ins/fortran.h)
ALIKE = "@__ez_alike"


class Uses(NamedTuple):
    """strong: used as a number; weak: used as one that could also be the bits of a float; open: passed on."""

    strong: bool = False
    weak: bool = False
    open: bool = False

    def joined(self, other: Uses) -> Uses:
        return Uses(self.strong or other.strong, self.weak or other.weak, self.open or other.open)


_STRONG, _WEAK, _OPEN = Uses(strong=True), Uses(weak=True), Uses(open=True)
_NO_USE = Uses()
_USE_OF_OPCODE = {
    **dict.fromkeys(
        "add sub mul udiv sdiv urem srem ashr sitofp uitofp sext switch getelementptr extractelement alloca".split(),
        _STRONG,
    ),
    "icmp": _WEAK,
    **dict.fromkeys(
        "store phi freeze ret bitcast inttoptr insertvalue insertelement cmpxchg invoke callbr va_arg".split(), _OPEN
    ),
}
#: integer results of these are numbers, whatever happens to them
ARITHMETIC = frozenset("add sub mul udiv sdiv urem srem ashr sext fptosi fptoui icmp fcmp".split())
_CONVERTS = frozenset(["sitofp", "uitofp"])
_SLICE = frozenset("add sub and or xor phi select freeze".split())
_MARKS = frozenset("add and or xor".split())
_KEEPS = frozenset("store ret call phi select insertvalue".split())


class LocalFacts:
    """Questions about the values of one function."""

    def __init__(self, function: Function, analysed: frozenset[str]) -> None:
        self.function = function
        self._analysed = analysed
        self._uses: dict[Value, Uses] = {}
        self._packed: dict[Value, bool] = {}
        self.made_into_numbers = made_into_numbers(function)
        self._offsets: dict[Instruction, tuple[tuple[int, int, bool], ...]] = {}
        self.pointerish = _pointer_slice(function)
        self.deciding = [a for a in function.arguments if isinstance(a.type, IntType) and any(map(_decides, a.users))]

    # -- integers

    def uses(self, value: Value, depth: int = 0) -> Uses:
        """How an integer is used."""
        if not isinstance(value, Instruction | Argument):
            return _NO_USE
        found = self._uses.get(value)
        if found is None:
            found = _NO_USE
            for user in value.users:
                found = found.joined(self._use_for_number(value, user, depth))
            if depth == 0:
                self._uses[value] = found
        return found

    def _use_for_number(self, value: Local, user: Instruction, depth: int) -> Uses:
        """Arithmetic of which numbers are made may be that of the bits of others."""
        use = self._use(value, user, depth)
        return Uses(False, True, use.open) if use.strong and self._computes_number(value, user) else use

    def _computes_number(self, value: Local, user: Instruction) -> bool:
        """Whether it is arithmetic of which a number is made, or converts what others do such arithmetic with."""
        made = self.made_into_numbers
        if user.opcode in _CONVERTS:
            return any(u in made and u.opcode in COMPUTING for u in value.users)
        return user in made and value in made

    def _use(self, value: Value, user: Instruction, depth: int) -> Uses:
        opcode = user.opcode
        if user in self.pointerish and opcode in _SLICE:
            return _OPEN
        plain = _USE_OF_OPCODE.get(opcode)
        if plain is not None:
            return plain if opcode not in ("insertelement", "getelementptr") else _index_use(value, user)
        if opcode == "select":
            return _OPEN
        if opcode in ("trunc", "lshr") and self.is_packed(value):
            return _OPEN
        if opcode in ("trunc", "zext", "lshr", "shl"):
            return self._part_use(user, depth)
        if opcode in ("and", "or", "xor"):
            return _OPEN.joined(_WEAK) if keeps_bits(user) else _WEAK
        if opcode == "call":
            callee = user.callee
            known = isinstance(callee, GlobalRef) and callee.name not in self._analysed
            return _WEAK if known else _OPEN
        if opcode == "atomicrmw":
            return _OPEN if user.memory.operation == "xchg" else _STRONG
        return _NO_USE

    def _part_use(self, user: Instruction, depth: int) -> Uses:
        """Uses of a part of the bits, or of the bits in another place."""
        if depth > _DEPTH or (user.opcode in ("lshr", "shl") and part_shift(user) is None):
            return _WEAK if user.opcode == "lshr" else _STRONG
        below = self.uses(user, depth + 1)
        return Uses(below.strong, True, below.open)

    def is_packed(self, value: Value) -> bool:
        """Whether the parts of the integer are taken out of it: what they are used for says nothing of the whole."""
        found = self._packed.get(value)
        if found is None and isinstance(value, Instruction | Argument):
            found = self._packed[value] = any(_takes_part(user) for user in value.users)
        return bool(found)

    def is_open(self, value: Value) -> bool:
        """Whether the integer may carry the bits of something else."""
        if isinstance(value.type, IntType) and value.type.bits < 8:
            return False
        if not isinstance(value, Instruction):
            return self.uses(value).open
        if value.opcode in ARITHMETIC and value not in self.pointerish:
            return any(u.opcode == "bitcast" and is_float(u.type) for u in value.users)
        return self.uses(value).open

    def is_number(self, value: Value) -> bool:
        """Whether the integer is computed as a number."""
        return isinstance(value, Instruction) and value.opcode in ARITHMETIC and value not in self.pointerish

    # -- addresses

    def offsets(self, i: Instruction) -> tuple[tuple[int, int, bool], ...]:
        """Offset and stride that a getelementptr adds to its base; whether never a negative multiple of the stride.

        Several, if one of a few fields is chosen.
        """
        found = self._offsets.get(i)
        if found is None:
            up = "nuw" in i.flags or all(at_least(index, 0) for index in i.operands[1:])
            choices = _choices(i.operands[1:])
            found = tuple(dict.fromkeys((*address_offset(i.source_type, indices), up) for indices in choices))
            self._offsets[i] = found
        return found


def _decides(user: Instruction) -> bool:
    """Whether control goes by an integer that the instruction uses."""
    if user.opcode == "icmp":
        return user.predicate in ("eq", "ne") and any(u.opcode == "br" for u in user.users)
    return user.opcode in ("switch", "br")


def _takes_part(user: Instruction) -> bool:
    if user.opcode == "lshr" and part_shift(user) == 32:
        return True
    return user.opcode == "trunc" and any(u.opcode == "bitcast" for u in user.users)


def _index_use(value: Value, user: Instruction) -> Uses:
    return _OPEN if user.opcode == "insertelement" and user.operands[1] is value else _STRONG


def part_shift(i: Instruction) -> int | None:
    """Bits of a constant shift by whole bytes."""
    by = i.operands[1]
    return by.value if isinstance(by, ConstantInt) and by.value > 0 and by.value % 16 == 0 else None


def keeps_bits(i: Instruction) -> bool:
    """Whether an and/or/xor keeps what its operands carry: it packs parts, or touches a sign bit only."""
    if i.opcode == "or" and all(_is_part(o) for o in i.operands):
        return True
    mask = next((o.value for o in i.operands if isinstance(o, ConstantInt)), None)
    if mask is None or not isinstance(i.type, IntType):
        return False
    bits = i.type.bits
    unsigned = mask & ((1 << bits) - 1)
    sign = 1 << (bits - 1)
    if i.opcode == "and":
        return unsigned in (sign - 1, (1 << bits // 2) - 1, ((1 << bits // 2) - 1) << (bits // 2))
    return unsigned == sign


def _is_part(value: Value) -> bool:
    """Half of a word in its place: zero-extended, shifted up, or masked."""
    if not isinstance(value, Instruction):
        return isinstance(value, ConstantInt)
    if value.opcode == "zext":
        return isinstance(value.operands[0].type, IntType) and value.operands[0].type.bits >= 16
    if value.opcode == "shl":
        return part_shift(value) is not None
    return value.opcode in ("and", "or") and keeps_bits(value)


def _pointer_slice(function: Function) -> frozenset[Value]:
    """Integers that are computed from addresses and become pointers again."""
    found: set[Value] = set()
    work = [i.operands[0] for i in function.instructions() if i.opcode == "inttoptr"]
    while work:
        value = work.pop()
        if value in found or not isinstance(value, Instruction | Argument):
            continue
        found.add(value)
        if isinstance(value, Instruction) and value.opcode in _SLICE:
            operands = [o for o in value.operands if isinstance(o.type, IntType)]
            sure = [o for o in operands if _from_pointer(o)] if value.opcode not in ("phi", "select") else operands
            work.extend(sure or (operands[:1] if value.opcode == "sub" else operands))
    for i in function.instructions():
        if i.opcode == "ptrtoint":
            found.update(_marked_addresses(i))
    return frozenset(found)


def _marked_addresses(address: Instruction, depth: int = 0) -> Iterator[Instruction]:
    """An address with bits set or cleared, or a constant added, that is kept: it may well be made a pointer again."""
    for user in address.users:
        marks = user.opcode in _MARKS and user.operands[0] is address and isinstance(user.operands[1], ConstantInt)
        if marks and depth < _DEPTH and isinstance(user.type, IntType) and user.type.bits == 64:
            beyond = list(_marked_addresses(user, depth + 1))
            yield from beyond
            if beyond or any(u.opcode in _KEEPS for u in user.users):
                yield user


def _from_pointer(value: Value) -> bool:
    for _ in range(_DEPTH):
        if not isinstance(value, Instruction):
            return False
        if value.opcode == "ptrtoint":
            return True
        if value.opcode not in ("add", "sub", "and", "or"):
            return False
        value = value.operands[0]
    return False


def looks_like_float(constant: ConstantInt) -> bool:
    """Whether the bits of a constant are those of a floating-point number of ordinary size."""
    assert isinstance(constant.type, IntType)
    bits = constant.type.bits
    if bits not in (32, 64):
        return False
    raw = (constant.value & ((1 << bits) - 1)).to_bytes(bits // 8, "little")
    number = abs(struct.unpack("<f" if bits == 32 else "<d", raw)[0])
    return bool(1e-30 < number < 1e30)


# ------------------------------------------------------------------------------------------------------------ addresses


def address_offset(source: Type, indices: Sequence[Value]) -> tuple[int, int]:
    """Bytes that the indices of a getelementptr add: a constant, and the stride of what is not constant."""
    offset, stride = 0, 0
    type_ = source
    for position, index in enumerate(indices):
        if position and isinstance(type_, StructType | NamedStruct):
            assert isinstance(index, ConstantInt)
            offset += field_offsets(type_)[index.value]
            type_ = struct_fields(type_)[index.value]
            continue
        if position:
            assert isinstance(type_, ArrayType | VectorType)
            type_ = type_.element
        scale = alloc_size(type_)
        if isinstance(index, ConstantInt):
            offset += index.value * scale
        else:
            stride = gcd(stride, scale * divisor(index))
    return offset, stride


def _choices(indices: Sequence[Value]) -> list[Sequence[Value]]:
    """The indices, for each value of one that has a few only."""
    for k, index in enumerate(indices):
        values = None if isinstance(index, ConstantInt) else few_values(index)
        if values is not None:
            return [(*indices[:k], ConstantInt(index.type, v), *indices[k + 1 :]) for v in sorted(values)]
    return [indices]


def few_values(value: Value, depth: int = 0) -> frozenset[int] | None:
    """All values of an integer, if these are a few constants."""
    if isinstance(value, ConstantInt):
        return frozenset([value.value])
    if not isinstance(value, Instruction) or depth > _DEPTH:
        return None
    if value.opcode == "zext" and value.operands[0].type == I1:
        return frozenset([0, 1])
    operands = value.operands[_ALTERNATIVES.get(value.opcode, slice(0))]
    found = [few_values(o, depth + 1) for o in operands]
    if not found or any(values is None for values in found):
        return None
    together = frozenset(v for values in found for v in values or ())
    return together if len(together) <= _FEW else None


_FEW = 4
_ALTERNATIVES = {"select": slice(1, None), "phi": slice(0, None, 2), "freeze": slice(None), "sext": slice(None)}


def divisor(value: Value, depth: int = 0) -> int:
    """A number that divides the integer, whatever its operands are.

    0 for a difference of two pointers: a multiple of the size of the elements between them, whatever that is. Elements
    of an array are alike, so that adding it to a pointer gives a place like the one before. So for what stand-ins say
    is such a distance.
    """
    if isinstance(value, ConstantInt):
        return abs(value.value)
    if not isinstance(value, Instruction) or depth > _DEPTH:
        return 1
    if value.opcode in ("sext", "zext", "trunc", "freeze"):
        return divisor(value.operands[0], depth + 1)
    if value.opcode == "mul":
        return divisor(value.operands[0], depth + 1) * divisor(value.operands[1], depth + 1)
    if value.opcode == "shl":
        by = value.operands[1]
        return divisor(value.operands[0], depth + 1) << by.value if isinstance(by, ConstantInt) else 1
    if value.opcode == "sub" and all(_is_address(o) for o in value.operands):
        return 0
    if value.opcode == "call" and isinstance(value.callee, GlobalRef) and value.callee.name == ALIKE:
        return 0
    if value.opcode in ("add", "sub", "or", "select", "phi"):
        return _common_divisor(value, depth)
    if value.opcode == "and":
        masks = [o.value for o in value.operands if isinstance(o, ConstantInt)]
        return (masks[0] & -masks[0]) or 1 if masks else 1
    return 1


def _common_divisor(value: Instruction, depth: int) -> int:
    operands = value.operands[::2] if value.opcode == "phi" else value.operands[value.opcode == "select" :]
    common = 0
    for operand in operands:
        if isinstance(operand, Instruction) and operand.opcode in ("add", "sub") and value in operand.operands:
            step = operand.operands[1 if operand.operands[0] is value else 0]
            common = gcd(common, divisor(step, depth + 1))
        elif operand is not value:
            common = gcd(common, divisor(operand, depth + 1))
    # of an "or" only the common power of two divides the result
    return common & -common if value.opcode == "or" else common


def _is_address(value: Value) -> bool:
    return isinstance(value, Instruction) and value.opcode == "ptrtoint"
