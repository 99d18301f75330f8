"""Partials of LLVM's floating-point vector reductions: for a vector operand, the vector of partials by lane.

With g the adjoint of the result, the adjoint of the vector is `partials × splat(g)`; with t the tangent of the vector,
the tangent of the result is the sum of `partials × t` over the lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ..ir.builder import Builder
from ..ir.folding import float_constant
from ..ir.types import VectorType, scalar
from ..ir.values import Value
from .expression_functions import CALL_ATTRIBUTES, type_suffix
from .rule import Rule

_MANY_LANES = 4
_EXTREMA = ("fmin", "fmax", "fminimum", "fmaximum")


def partials(rule: Rule, builder: Builder, operands: Sequence[Value], result: Value) -> list[Value]:
    """Returns the partial of each operand, for a rule of kind "reduce". A partial has its operand's type."""
    operation = rule.name.removeprefix("vector.reduce.")
    if operation == "fadd":
        return [float_constant(1.0, operand.type) for operand in operands]
    if operation == "fmul":
        return _product(builder, *operands)
    assert operation in _EXTREMA, operation
    return [_extremum(builder, operands[0], result)]


def _product(builder: Builder, start: Value, vector: Value) -> list[Value]:
    """Returns the partials of start·v0·v1…: prefix times suffix product, since a quotient fails for a zero factor."""
    assert isinstance(vector.type, VectorType) and not vector.type.scalable
    count = vector.type.count
    lanes = [builder.lane(vector, i) for i in range(count)]
    before: list[Value] = [start]
    for lane in lanes[:-1]:
        before.append(builder.fmul(before[-1], lane))
    after: list[Value] = [float_constant(1.0, vector.type.element)]
    for lane in reversed(lanes):
        after.append(lane if len(after) == 1 else builder.fmul(lane, after[-1]))
    after.reverse()  # after[i] is the product of lanes i and up
    others = [builder.fmul(before[i], after[i + 1]) for i in range(count - 1)]
    return [after[0], builder.vector(vector.type, [*others, before[-1]])]


def sum_of_lanes(builder: Builder, vector: Value, lanes: Sequence[int]) -> Value:
    """Emits the sum of some lanes of a vector. LLVM adds many lanes in halves, where the order is free."""
    if len(lanes) < _MANY_LANES:
        parts: list[Value] = [builder.lane(vector, lane) for lane in lanes]
        return reduce(builder.fadd, parts)
    assert isinstance(vector.type, VectorType)
    if list(lanes) != list(range(vector.type.count)):
        vector = builder.shuffle(vector, vector, lanes)
    element = scalar(vector.type)
    name = f"@llvm.vector.reduce.fadd.{type_suffix(vector.type)}"
    return builder.call(name, element, (float_constant(-0.0, element), vector), CALL_ATTRIBUTES)


def _extremum(builder: Builder, vector: Value, result: Value) -> Value:
    """Returns 1 for the chosen lane; equal lanes share it."""
    type_ = vector.type
    assert isinstance(type_, VectorType)
    one, zero = float_constant(1.0, type_), float_constant(0.0, type_)
    chosen = builder.select(builder.fcmp("oeq", vector, builder.splat(result, type_)), one, zero)
    start = float_constant(-0.0, type_.element)
    name = f"@llvm.vector.reduce.fadd.{type_suffix(type_)}"
    ties = builder.call(name, type_.element, (start, chosen), CALL_ATTRIBUTES, flags=("reassoc",))
    share = builder.fdiv(one, builder.splat(ties, type_))
    return builder.select(builder.fcmp("one", chosen, zero), share, zero)
