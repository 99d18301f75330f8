"""Forward mode: a clone of the primal with a tangent next to each active value.

A tangent is a shadow with the type of its primal, even if the primal is an integer or a struct that carries numbers. So
a load of a tangent is a load from shadow memory, and a copy of memory also copies the shadow, whatever it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from ...analysis.region_calls import is_region_call, is_thread_call
from ...ir.builder import Builder
from ...ir.values import Block, Instruction, Value
from ...rules.knowledge import CalleeKind
from ..analyses.function_analyses import FunctionAnalyses
from ..analyses.function_checks import check
from ..core.round import Round
from ..core.signature import Form
from ..emit.cloned_calls import call_parameters, clone_constant, clone_inactive, clone_refused, results_of_call
from ..emit.cloning import CLONED_VALUES, SHARED_CLONES
from ..emit.loop_versions import make_loop_versions
from ..emit.made_tasks import run_forward
from ..emit.region_forks import RegionDerivative
from ..emit.shadow_access.compared_pointers import compare_names
from . import tangent_copies as copies
from . import tangent_memory as memory
from .tangent_cloning import TangentCloning
from .tangent_runtime_calls import clone_linear
from .tangent_values import (
    SHADOWED_OPERANDS,
    same_of_shadows,
    tangent_of_arithmetic,
    tangent_of_move,
    tangent_of_rule_call,
)


class TangentSweep(TangentCloning):
    """Clones the primal with tangents. In vector mode each rule runs once for each direction."""

    form: ClassVar[Form] = Form.TANGENT
    calls: ClassVar[Mapping[CalleeKind, Callable[..., object]]]

    # -- instructions

    def clone_value(self, i: Instruction) -> None:
        self.clone_plain(i)
        if self.activity.active(i):
            for _ in self.directions():
                self.shadow[i] = self._tangent(i)
        elif i in self.copied:
            for _ in self.directions():
                self.shadow[i] = same_of_shadows(self, i)
        elif self.has_shadow(i):
            for _ in self.directions():
                self.shadow[i] = self.shadow_value(i)

    def compare_names(self, i: Instruction) -> None:
        compare_names(self, i)

    def _tangent(self, i: Instruction) -> Value:
        if i.opcode in SHADOWED_OPERANDS:
            return tangent_of_move(self, i)
        return tangent_of_arithmetic(self, i)

    def _clone_call(self, i: Instruction) -> None:
        kind = self.activity.callees.of(i).kind
        self.calls[kind](self, i)

    def _clone_rule(self, i: Instruction) -> None:
        self.clone_plain(i)
        if i in self.activity.active_calls or self.activity.active(i):
            for _ in self.directions():
                tangent_of_rule_call(self, i)

    def _clone_defined(self, i: Instruction) -> None:
        if i not in self.activity.active_calls:
            clone_constant(self, i)
            return
        signature = self.analyses.tangent_signature(i)
        if is_region_call(i):
            given = call_parameters(self, i, signature, self.form)
            RegionDerivative(self.round, self.target, i, signature, self.form).run(self.b, given)
            return
        if is_thread_call(i):
            run_forward(self, i, signature, self.form)
            return
        name, proto = self.round.derivatives.of(signature, self.form, self.analyses.is_certain(i))
        result = self.b.call(name, proto.result, call_parameters(self, i, signature, self.form).in_order())
        results_of_call(self, i, result, proto.places)


TangentSweep.clones = {
    **SHARED_CLONES,
    **dict.fromkeys(CLONED_VALUES, TangentSweep.clone_value),
    "load": memory.clone_load,
    "store": memory.clone_store,
    "alloca": memory.clone_alloca,
    "atomicrmw": memory.clone_atomic,
    "call": TangentSweep._clone_call,
}

_CALLS: dict[CalleeKind, Callable[..., object]] = {
    CalleeKind.RULE: TangentSweep._clone_rule,
    CalleeKind.ALLOCATE: memory.clone_allocation,
    CalleeKind.FREE: memory.clone_free,
    CalleeKind.REALLOCATE: copies.clone_reallocation,
    CalleeKind.COPY: copies.clone_copy,
    CalleeKind.FILL: copies.clone_fill,
    CalleeKind.STACK: TangentSweep.clone_plain,
    CalleeKind.LINEAR: clone_linear,
    CalleeKind.INACTIVE: clone_inactive,
    CalleeKind.DEFINED: TangentSweep._clone_defined,
    CalleeKind.CUSTOM: TangentSweep._clone_defined,
    CalleeKind.INDIRECT: clone_refused,
    CalleeKind.ASM: clone_refused,
    CalleeKind.UNKNOWN: clone_refused,
}
TangentSweep.calls = _CALLS


def build_tangent(round: Round, analyses: FunctionAnalyses, kind: type[TangentSweep] = TangentSweep) -> None:
    """Builds the function that runs the primal and its tangents, by a sweep of one kind."""
    function = round.start(analyses.signature, kind.form)
    _, proto = round.derivatives.of(analyses.signature, kind.form)

    def finish(block: Block, b: Builder, value: Value | None) -> None:
        values = sweep.results(proto, value).in_order()
        b.ret(b.make_struct(values) if values else None)

    sweep = kind(analyses, function, finish)
    check(analyses, sweep.copied)
    sweep.bind(proto.parameters.unpack(function.arguments))
    sweep.run()
    make_loop_versions(round, function)
    round.enter(function)
