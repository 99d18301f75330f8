"""Emits partial derivatives of the rules table: the values that a partial names, and its product with a factor."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...ir.builder import Builder
from ...ir.folding import zero
from ...ir.values import Instruction, Value
from ...rules.expression import FACTOR, OPERAND_NAMES, Expression


def times(b: Builder, factor: Value, partial: Expression, env: Mapping[str, Value], guarded: bool) -> Value:
    """Returns the factor, an adjoint or a tangent, times the partial.

    If `guarded`, the product is 0 where the factor is 0, even if the partial is infinite or NaN.
    """
    if partial.constant == 1:
        return factor
    if partial.constant == -1:
        return b.fneg(factor)
    product = partial.product.emit(b, {**env, FACTOR: factor}, factor.type)
    if not guarded:
        return product
    # the value may come from the side of a select that was not chosen: 0 times inf or nan must stay 0
    idle = b.fcmp("oeq", factor, zero(factor.type))
    return b.select(idle, zero(factor.type), product)


def environment(
    b: Builder, primal: Callable[[Value], Value], i: Instruction, partial: Expression, operands: list[Value]
) -> Mapping[str, Value]:
    """Returns the values that the partial names: operands, and the result or its fields."""
    env: dict[str, Value] = {}
    for name in sorted(partial.names):
        if name == "r":
            env[name] = primal(i)
        elif name.startswith("r"):
            env[name] = b.extract_value(primal(i), int(name[1:]))
        else:
            env[name] = primal(operands[OPERAND_NAMES.index(name)])
    return env
