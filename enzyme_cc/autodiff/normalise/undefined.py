"""Gives a value to undefined numbers (undef, poison), because adjoints would multiply with them.

The program never depends on an undefined number, so its adjoint is zero. But zero times undefined is undefined, and the
product would be added to another adjoint. The value is one: few functions have no derivative there.
"""

from __future__ import annotations

from ...ir.builder import Builder, put_in_place
from ...ir.constants import Constant, ConstantAggregate, ConstantWord
from ...ir.folding import float_constant
from ...ir.leaves import shuffle_lanes
from ...ir.types import VectorType, is_float
from ...ir.values import Function, Instruction, Value

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
    """Takes the lanes that the mask leaves undefined from a constant, which has no adjoint."""
    first, second, mask = i.operands
    lanes = shuffle_lanes(mask)
    if -1 not in lanes or not isinstance(first.type, VectorType) or first.type.scalable:
        return
    n = len(lanes)

    def shuffled(b: Builder, i: Instruction) -> Value:
        found = b.shuffle(first, second, [max(lane, 0) for lane in lanes])
        return b.shuffle(found, float_constant(1.0, found.type), [k + n * (lane < 0) for k, lane in enumerate(lanes)])

    put_in_place(i, shuffled)
