"""Numbers without a meaning (undef, poison) are given one, where adjoints would multiply with them.

What LLVM leaves open is never used, so its adjoint is zero; but zero times what is undefined is undefined too, and
would be added to an adjoint that counts. One is a number at which few functions have no derivative.
"""

from __future__ import annotations

from ..ir.builder import Builder, float_constant, put_in_place
from ..ir.types import FloatType, Type, VectorType
from ..ir.values import ConstantAggregate, ConstantWord, Function, Instruction, Value
from .lanes import shuffle_lanes

_UNDEFINED = ("undef", "poison")


def define_numbers(function: Function) -> None:
    """Rewrites the function in place."""
    for i in list(function.instructions()):
        if i.opcode == "shufflevector" and _is_numbers(i.type):
            _define_lanes(i)
        for k, operand in enumerate(i.operands):
            defined = _defined(operand)
            if defined is not operand:
                i.set_operand(k, defined)


def _is_numbers(type_: Type) -> bool:
    return isinstance(type_.element if isinstance(type_, VectorType) else type_, FloatType)


def _defined(value: Value) -> Value:
    if isinstance(value, ConstantWord) and value.word in _UNDEFINED and _is_numbers(value.type):
        return float_constant(1.0, value.type)
    if isinstance(value, ConstantAggregate) and isinstance(value.type, VectorType) and _is_numbers(value.type):
        elements = tuple(map(_defined, value.elements))
        return value if elements == value.elements else ConstantAggregate(value.type, elements)  # type: ignore[arg-type]
    return value


def _define_lanes(i: Instruction) -> None:
    """Lanes that the mask leaves open come from a constant, to which no adjoint flows."""
    first, second, mask = i.operands
    lanes = shuffle_lanes(mask)
    if -1 not in lanes or not isinstance(first.type, VectorType) or first.type.scalable:
        return
    n = len(lanes)

    def shuffled(b: Builder, i: Instruction) -> Value:
        found = b.shuffle(first, second, [max(lane, 0) for lane in lanes])
        return b.shuffle(found, float_constant(1.0, found.type), [k + n * (lane < 0) for k, lane in enumerate(lanes)])

    put_in_place(i, shuffled)
