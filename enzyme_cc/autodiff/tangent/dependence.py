"""Forward mode with sets in place of tangents: which inputs each number depends on.

A set is the number of a node in a graph of unions, which the runtime keeps (toolchain/runtime/dependence.c). The number
is stored as a floating-point value, in the place where forward mode has a tangent: 0 is the empty set. So everything
that only moves tangents works on sets as it is; a changed sign has no meaning. Arithmetic becomes a union. A number
depends on an operand if the rule has a partial for it, whatever the value of the partial: no dependence is lost, and
some are too many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...ir.folding import float_constant, int_constant, zero
from ...ir.instructions import FLOAT_SUMS
from ...ir.types import DOUBLE, FLOAT, HALF, FloatType, Type, VectorType, scalar, store_size
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ...rules.expression import Expression
from ...rules.knowledge import CalleeKind
from ..analyses.function_analyses import FunctionAnalyses
from ..core.round import Round
from ..core.signature import Form
from ..emit.shadow_access.number_places import purpose_of_store
from .tangent_runtime_calls import map_shadows
from .tangent_sweep import TangentSweep, build_tangent

#: the largest number up to which a type has all integers; wider types have all numbers of nodes
_EXACT: dict[Type, float] = {FLOAT: 2.0**24, HALF: 2.0**11, FloatType("bfloat"): 2.0**8}


class DependenceSweep(TangentSweep):
    """Clones the primal with the set of each active number."""

    form = Form.DEPENDENCE

    def plus(self, total: Value, tangent: Value, partial: Expression, env: Callable[[], Mapping[str, Value]]) -> Value:
        return self._union(total, self._resized(tangent, total.type))

    def plus_reduced(self, total: Value, tangent: Value, partial: Value) -> Value:
        if not isinstance(tangent.type, VectorType):
            return self._union(total, tangent)
        for k in range(tangent.type.count):
            total = self._union(total, self._lane(tangent, k))
        return total

    def _tangent(self, i: Instruction) -> Value:
        if i.opcode == "fptrunc":
            return self._resized(self.shadow_of(i.operands[0]), i.type)
        return super()._tangent(i)

    def _resized(self, sets: Value, type_: Type) -> Value:
        """Returns the sets as values of the type. The program ends if a narrower type cannot hold their numbers."""
        if isinstance(type_, VectorType):
            return self._lanes(type_, lambda k: self._resized(self._lane(sets, k), type_.element))
        if type_ in _EXACT and sets.type != type_:
            wide = self.b.resize_float(sets, DOUBLE)
            sets = runtime.NARROWED_SET.call(self.b, wide, float_constant(_EXACT[type_], DOUBLE))
        return self.b.resize_float(sets, type_)

    def _union(self, a: Value, b: Value) -> Value:
        type_ = a.type
        if isinstance(type_, VectorType):
            return self._lanes(type_, lambda k: self._union(self._lane(a, k), self._lane(b, k)))
        if a == zero(type_):
            return b
        united = runtime.UNION.call(self.b, self.b.resize_float(a, DOUBLE), self.b.resize_float(b, DOUBLE))
        return self._resized(united, scalar(type_))

    def _lanes(self, type_: VectorType, lane: Callable[[int], Value]) -> Value:
        out: Value = zero(type_)
        for k in range(type_.count):
            out = self.b.emit("insertelement", type_, (out, lane(k), int_constant(k)))
        return out

    def _lane(self, vector: Value, k: int) -> Value:
        return self.b.emit("extractelement", scalar(vector.type), (vector, int_constant(k)))

    def _clone_atomic(self, i: Instruction) -> None:
        """Unites where forward mode adds. One thread runs the derivative, so this need not be atomic."""
        pointer, value = i.operands
        if i.memory.operation not in FLOAT_SUMS or not self.activity.shadowed(pointer):
            TangentSweep.clones["atomicrmw"](self, i)
            return
        for _ in self.directions():
            target = self.memory.place(i, pointer, store_size(i.type), purpose_of_store(value in self.activity.varied))
            self.shadow[i] = self.b.load(i.type, target)
            self.b.store(self._union(self.shadow[i], self.shadow_of(value)), target)
        self.clone_write(i)

    def _clone_linear(self, i: Instruction) -> None:
        """Makes the call for the sets, which the runtime unites where it adds numbers."""
        runtime.UNITE.call(self.b, int_constant(1))
        map_shadows(self, i)
        runtime.UNITE.call(self.b, int_constant(0))
        self.clone_plain(i)


DependenceSweep.clones = {**TangentSweep.clones, "atomicrmw": DependenceSweep._clone_atomic}
DependenceSweep.calls = {**TangentSweep.calls, CalleeKind.LINEAR: DependenceSweep._clone_linear}


def build_dependence(round: Round, analyses: FunctionAnalyses) -> None:
    """Builds the function that runs the primal and finds on which inputs each number depends."""
    build_tangent(round, analyses, DependenceSweep)
