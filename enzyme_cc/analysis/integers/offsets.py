"""Offsets of addresses in an object: a number of bytes, a number modulo another, or unknown."""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

from ...ir.types import ArrayType, NamedStruct, StructType, Type, VectorType, alloc_size, field_offsets, struct_fields
from ...ir.values import ConstantExpr, ConstantInt, GlobalRef, Instruction, Value

_DEPTH = 8


class Residue(NamedTuple):
    """value + any multiple of the modulus, which is more than 1."""

    value: int
    modulus: int


Offset = int | Residue | None


def moved(offset: Offset, by: Offset) -> Offset:
    """The sum of two offsets."""
    if offset is None or by is None:
        return None
    if isinstance(offset, int) and isinstance(by, int):
        return offset + by
    return _residue(_value(offset) + _value(by), gcd(_modulus(offset), _modulus(by)))


def either(a: Offset, b: Offset) -> Offset:
    """What is true of both."""
    if a is None or b is None or a == b:
        return a if a == b else None
    return _residue(_value(a), gcd(_modulus(a), _modulus(b), _value(a) - _value(b)))


def may_overlap(a: Offset, size_a: int | None, b: Offset, size_b: int | None) -> bool:
    """Whether so many bytes (None: unknown) at each of the offsets may have one in common."""
    if a is None or b is None or size_a is None or size_b is None:
        return True
    modulus, distance = gcd(_modulus(a), _modulus(b)), _value(a) - _value(b)
    if not modulus:
        return distance < size_b and -distance < size_a
    distance %= modulus
    return distance < size_b or distance + size_a > modulus


def _value(offset: int | Residue) -> int:
    return offset if isinstance(offset, int) else offset.value


def _modulus(offset: int | Residue) -> int:
    return 0 if isinstance(offset, int) else offset.modulus


def _residue(value: int, modulus: int) -> Residue | None:
    return Residue(value % modulus, modulus) if modulus > 1 else None


# -- addresses


def global_of(pointer: Value) -> str | None:
    """The global that a pointer points into, at whatever offset."""
    while isinstance(pointer, Instruction | ConstantExpr) and pointer.opcode == "getelementptr":
        pointer = pointer.operands[0]
    return pointer.name if isinstance(pointer, GlobalRef) else None


def offset_of(source: Type, indices: tuple[Value, ...] | list[Value]) -> Offset:
    """What the indices of a getelementptr add. Addresses do not wrap around."""
    offset: Offset = 0
    type_ = source
    for position, index in enumerate(indices):
        if position and isinstance(type_, StructType | NamedStruct):
            assert isinstance(index, ConstantInt)
            offset = moved(offset, field_offsets(type_)[index.value])
            type_ = struct_fields(type_)[index.value]
            continue
        if position:
            assert isinstance(type_, ArrayType | VectorType)
            type_ = type_.element
        scale = alloc_size(type_)
        if isinstance(index, ConstantInt):
            offset = moved(offset, index.value * scale)
        else:
            offset = moved(offset, _residue(0, scale * _factor(index)))
    return offset


def _factor(value: Value, depth: int = 0) -> int:
    """A number that divides the integer for certain: products that may wrap around keep their powers of two."""
    if isinstance(value, ConstantInt):
        return abs(value.value) or 1 << 63
    if not isinstance(value, Instruction) or depth > _DEPTH:
        return 1
    exact = "nsw" in value.flags or "nuw" in value.flags or "disjoint" in value.flags
    factors = [_factor(o, depth + 1) for o in value.operands] if value.opcode in _ARITHMETIC else []
    match value.opcode:
        case "sext" | "zext":
            return _factor(value.operands[0], depth + 1)
        case "mul":
            found = factors[0] * factors[1]
        case "shl" if isinstance(value.operands[1], ConstantInt):
            found = factors[0] << value.operands[1].value
        case "add" | "sub":
            found = gcd(*factors)
        case "or" if exact:
            found = gcd(*factors)
        case _:
            return 1
    return found if exact else found & -found


_ARITHMETIC = frozenset(["mul", "shl", "add", "sub", "or"])
