"""Offsets and strides of address computations, and the properties of index values that they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd

from ....ir.types import (
    I1,
    ArrayType,
    NamedStruct,
    StructType,
    Type,
    VectorType,
    alloc_size,
    field_offsets,
    struct_fields,
)
from ....ir.values import ConstantInt, GlobalRef, Instruction, Value

#: the runtime's function whose result is a distance between elements of an array (toolchain/stand_ins/fortran.h)
ALIKE = "@__ez_alike"
_DEPTH = 6
_FEW = 4
#: operands that the result is one of
_ALTERNATIVES = {"select": slice(1, None), "phi": slice(0, None, 2), "freeze": slice(None), "sext": slice(None)}


def address_offset(source: Type, indices: Sequence[Value]) -> tuple[int, int]:
    """Returns the bytes that the indices of a getelementptr add: a constant offset, and the stride of the rest."""
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


def choices(indices: Sequence[Value]) -> list[Sequence[Value]]:
    """Returns the indices. If one of them has a few values only: the indices for each of these."""
    for k, index in enumerate(indices):
        values = None if isinstance(index, ConstantInt) else few_values(index)
        if values is not None:
            return [(*indices[:k], ConstantInt(index.type, v), *indices[k + 1 :]) for v in sorted(values)]
    return [indices]


def few_values(value: Value, depth: int = 0) -> frozenset[int] | None:
    """Returns all values of an integer, if these are a few constants."""
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


# -- divisors


def divisor(value: Value, depth: int = 0) -> int:
    """Returns a number that divides the integer, whatever its operands are.

    0 stands for a multiple of the size of the elements of an array, whatever that size is: the difference of two
    pointers, and what stand-ins declare as such a distance. Elements of an array are alike, so that adding such a
    distance to a pointer gives a place like the one before.
    """
    if isinstance(value, ConstantInt):
        return abs(value.value)
    if not isinstance(value, Instruction) or depth > _DEPTH:
        return 1
    rule = _DIVISORS.get(value.opcode)
    return rule(value, depth + 1) if rule is not None else 1


def _of_operand(i: Instruction, depth: int) -> int:
    return divisor(i.operands[0], depth)


def _of_product(i: Instruction, depth: int) -> int:
    return divisor(i.operands[0], depth) * divisor(i.operands[1], depth)


def _of_shift(i: Instruction, depth: int) -> int:
    by = i.operands[1]
    return divisor(i.operands[0], depth) << by.value if isinstance(by, ConstantInt) else 1


def _of_difference(i: Instruction, depth: int) -> int:
    return 0 if all(map(is_address, i.operands)) else _common(i, i.operands, depth)


def _of_sum(i: Instruction, depth: int) -> int:
    return _common(i, i.operands, depth)


def _of_or(i: Instruction, depth: int) -> int:
    """Only the common power of two divides the result."""
    common = _common(i, i.operands, depth)
    return common & -common


def _of_mask(i: Instruction, depth: int) -> int:
    masks = [o.value for o in i.operands if isinstance(o, ConstantInt)]
    return (masks[0] & -masks[0]) or 1 if masks else 1


def _of_choice(i: Instruction, depth: int) -> int:
    return _common(i, i.operands[_ALTERNATIVES[i.opcode]], depth)


def _of_call(i: Instruction, depth: int) -> int:
    return 0 if isinstance(i.callee, GlobalRef) and i.callee.name == ALIKE else 1


def _common(value: Instruction, operands: Sequence[Value], depth: int) -> int:
    """Returns what divides all operands. Of an operand that adds a step to the value itself, only the step counts."""
    common = 0
    for operand in operands:
        if isinstance(operand, Instruction) and operand.opcode in ("add", "sub") and value in operand.operands:
            step = operand.operands[1 if operand.operands[0] is value else 0]
            common = gcd(common, divisor(step, depth))
        elif operand is not value:
            common = gcd(common, divisor(operand, depth))
    return common


_DIVISORS: dict[str, Callable[[Instruction, int], int]] = {
    **dict.fromkeys(("sext", "zext", "trunc", "freeze"), _of_operand),
    "mul": _of_product,
    "shl": _of_shift,
    "sub": _of_difference,
    "add": _of_sum,
    "or": _of_or,
    "and": _of_mask,
    "select": _of_choice,
    "phi": _of_choice,
    "call": _of_call,
}


def is_address(value: Value) -> bool:
    """Returns whether the integer is a pointer's address."""
    return isinstance(value, Instruction) and value.opcode == "ptrtoint"
