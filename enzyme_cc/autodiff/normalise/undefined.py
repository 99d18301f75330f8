"""Numbers without a meaning (undef, poison) are given one, where adjoints would multiply with them.

What LLVM leaves open is never used, so its adjoint is zero; but zero times what is undefined is undefined too, and
would be added to an adjoint that counts. One is a number at which few functions have no derivative.
"""

from __future__ import annotations

from ...ir.builder import Builder, float_constant, put_in_place
from ...ir.leaves import shuffle_lanes
from ...ir.types import VectorType, is_float
from ...ir.values import Constant, ConstantAggregate, ConstantWord, Function, Instruction, Value

_UNDEFINED = ("undef", "poison")


def define_numbers(function: Function) -> None:
    """Rewrites the function in place."""
    for i in list(function.instructions()):
        if i.opcode == "shufflevector" and is_float(i.type):
            _define_lanes(i)
        for k, operand in enumerate(i.operands):
            if isinstance(operand, Constant) and (defined := _defined(operand)) is not operand:
                i.set_operand(k, defined)


def _defined(constant: Constant) -> Constant:
    if isinstance(constant, ConstantWord) and constant.word in _UNDEFINED and is_float(constant.type):
        return float_constant(1.0, constant.type)
    if isinstance(constant, ConstantAggregate) and is_float(constant.type):
        elements = tuple(map(_defined, constant.elements))
        return constant if elements == constant.elements else ConstantAggregate(constant.type, elements)
    return constant


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
