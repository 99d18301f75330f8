"""Clones a primal with shadows that hold tangents.

The handlers of forward mode are given a TangentCloning; the sweep that calls them (tangent_sweep.py) extends it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from ...analysis.activity.copied_bytes import copied_bytes
from ...ir.builder import Builder
from ...ir.constants import Constant, ConstantAggregate, ConstantWord
from ...ir.folding import float_constant, zero
from ...ir.types import FloatType, PointerType, VectorType, holds
from ...ir.values import Block, Value
from ...rules.expression import Expression
from ...rules.expression_functions import type_suffix
from ..emit.cloning import Cloning
from ..emit.partials import times


class TangentCloning(Cloning):
    """Clones the primal into a tangent function; says which values have a shadow, and returns it."""

    forward = True

    def builder(self, block: Block) -> Builder:
        return Builder(block, self.round.options.fast_flags)

    @cached_property
    def copied(self) -> frozenset[Value]:
        """Integers whose shadow is copied, whatever it holds.

        None with runtime activity: the shadow may be the primal itself.
        """
        return frozenset() if self.round.options.runtime_activity else copied_bytes(self.activity)

    def has_shadow(self, value: Value) -> bool:
        return self.activity.active(value) or self.activity.shadowed(value) or value in self.copied

    def shadow_of(self, value: Value) -> Value:
        """Returns the tangent of a number, zero if it has none, or the shadow of a pointer."""
        if value in self.shadow:
            return self.shadow[value]
        if not holds(value.type, PointerType) and not self.activity.carriers.can_point(value):
            return zero(value.type)
        if not holds(value.type, FloatType):
            return super().shadow_of(value)
        if isinstance(value, ConstantAggregate):
            parts = [self.shadow_of(e) for e in value.elements]
            return ConstantAggregate(value.type, tuple(p for p in parts if isinstance(p, Constant)))
        if isinstance(value, ConstantWord):
            return value
        raise self.analyses.refusal_of_value(value, "it holds numbers and pointers, neither with a derivative")

    # -- arithmetic

    def plus(self, total: Value, tangent: Value, partial: Expression, env: Callable[[], Mapping[str, Value]]) -> Value:
        """Adds partial times tangent to a sum. `env` emits the values that the partial names."""
        tangent = self.b.resize_float(tangent, total.type)
        return self.b.fadd(total, times(self.b, tangent, partial, env(), self.round.options.strong_zero))

    def plus_reduced(self, total: Value, tangent: Value, partial: Value) -> Value:
        """Adds partial times tangent, summed over the lanes if they are vectors, to a number."""
        product = self.b.fmul(tangent, partial)
        if isinstance(product.type, VectorType):
            name = f"@llvm.vector.reduce.fadd.{type_suffix(product.type)}"
            product = self.b.call(name, total.type, (float_constant(-0.0, total.type), product))
        return self.b.fadd(total, product)
