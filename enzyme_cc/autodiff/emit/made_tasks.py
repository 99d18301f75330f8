"""Derivatives of tasks (toolchain/runtime/teams_tasks.c).

The primal sweep makes a task in the place of a task. It is told how to reverse itself: two *starters*, which take what
the augmented and the reverse function are passed from memory of the tape of the maker.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.folding import int_constant, zero
from ...ir.module import global_name
from ...ir.types import PTR, VOID, FunctionType, StructType, Type, alloc_size, field_offsets
from ...ir.values import Function, Instruction, Value
from ...report.diagnostics import NotOnTeams
from ...rules import runtime_functions as runtime
from ..core.calling_convention import Parameters, Prototype
from ..core.derivatives import alone
from ..core.round import Round
from ..core.signature import Form, Signature
from .cloned_calls import call_parameters
from .cloning import Cloning

_STARTER = FunctionType(VOID, (PTR, PTR))


def make_task(sweep: Cloning, i: Instruction, signature: Signature, arena: Value) -> Value:
    """Emits what makes the task of a call in the primal sweep. Returns the task, which is the tape of the call."""
    options = sweep.round.options
    if not options.is_last or options.separate_additions:
        raise NotOnTeams("more than the derivative of a task is asked for")
    starters = [_Starter(sweep.round, signature, form) for form in (Form.AUGMENTED, Form.REVERSE)]
    b, frames = sweep.b, []
    for starter in starters:
        frame = runtime.ALLOCATE.call(b, arena, int_constant(alloc_size(starter.frame)))
        values = call_parameters(sweep, i, signature, starter.form).in_order()
        for value, offset in zip(values, starter.offsets, strict=True):
            b.store(value, b.offset(frame, offset))
        frames.append(frame)
    functions = [starter.function() for starter in starters]
    return runtime.TASK_MAKE.call(b, arena, *functions, *frames)


class _Starter:
    """Calls one form of a task's derivative. `frame`: what the form is passed."""

    def __init__(self, round: Round, signature: Signature, form: Form) -> None:
        self.form, self._round = form, round
        self._name, self._proto = round.derivatives.of(signature, form)
        self._passed = replace(self._proto.parameters, arena=None, tape=None)
        self.frame = StructType(tuple(self._passed.in_order()))
        self.offsets = list(field_offsets(self.frame))

    def function(self) -> Value:
        """Returns the starter, which is made once."""
        symbol = global_name(f"__ez_task.{plain_name(self._name)}")
        return self._round.make_once(symbol, _STARTER, "noinline nounwind", self._fill)

    def _fill(self, function: Function) -> None:
        b = Builder(function.add_block())
        task, frame = function.arguments
        types: Sequence[Type] = self.frame.fields
        passed = [b.load(t, b.offset(frame, o)) for t, o in zip(types, self.offsets, strict=True)]
        given = self._passed.unpack(passed)
        b = self._augmented(b, task, given) if self.form is Form.AUGMENTED else self._reverse(b, function, task, given)
        b.ret()

    def _augmented(self, b: Builder, task: Value, given: Parameters[Value]) -> Builder:
        proto: Prototype = self._proto
        result = b.call(self._name, proto.result, replace(given, arena=task).in_order())
        place = proto.places.tape
        runtime.TASK_DONE.call(b, task, zero(PTR) if place is None else b.extract_value(result, place))
        return b

    def _reverse(self, b: Builder, function: Function, task: Value, given: Parameters[Value]) -> Builder:
        """Calls the reverse function, or the one for a team of one if no other thread runs."""
        given = replace(given, tape=runtime.TEAM_TAPE.call(b, task))
        together, by_itself, after = (function.add_block() for _ in range(3))
        b.cond_br(b.icmp("eq", runtime.TEAM_IS_ONE.call(b), int_constant(0)), together, by_itself)
        for block, name in ((together, self._name), (by_itself, alone(self._name))):
            at = Builder(block)
            at.call(name, self._proto.result, given.in_order())
            at.br(after)
        return Builder(after)
