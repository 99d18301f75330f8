"""Derivatives of calls that have a stack of their own: tasks of teams (toolchain/runtime/teams_tasks.c), and
threads that wait for each other (toolchain/runtime/thread_fibers.c).

The primal sweep makes a task in the place of a task. It is told how to reverse itself: two *starters*, which take what
the augmented and the reverse function are passed from memory of the tape of the maker. In forward mode, a thread has
one starter, which takes what it needs before the maker goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from ...analysis.callees import plain_name
from ...analysis.region_calls import is_task_call, is_thread_call
from ...ir.builder import Builder
from ...ir.folding import int_constant, zero
from ...ir.module import global_name
from ...ir.types import PTR, VOID, FunctionType, StructType, Type, alloc_size, field_offsets
from ...ir.values import Function, Instruction, Value
from ...report.diagnostics import NotOnFibers, NotOnTeams
from ...rules import runtime_functions as runtime
from ...rules.runtime_functions import RuntimeFunction
from ..core.calling_convention import Parameters, Prototype
from ..core.derivatives import alone
from ..core.round import Round
from ..core.signature import Form, Signature
from .cloned_calls import call_parameters
from .cloning import Cloning

_STARTER = FunctionType(VOID, (PTR, PTR))


class _Runtime(NamedTuple):
    """The functions of the runtime: what they do with a task is told there."""

    make: RuntimeFunction
    done: RuntimeFunction
    tape: RuntimeFunction
    back: RuntimeFunction


_TASK = _Runtime(runtime.TASK_MAKE, runtime.TASK_DONE, runtime.TEAM_TAPE, runtime.TASK_BACK)
_THREAD = _Runtime(runtime.FIBER_MAKE, runtime.FIBER_DONE, runtime.FIBER_TAPE, runtime.FIBER_BACK)


def is_apart(i: Instruction, signature: Signature) -> bool:
    """True for a call whose derivative has a tape of its own: it is made here, and reversed elsewhere."""
    return is_thread_call(i) or (is_task_call(i) and signature.team.is_own)


def make_apart(sweep: Cloning, i: Instruction, signature: Signature, arena: Value) -> Value:
    """Emits what makes the task or thread of a call in the primal sweep. Returns it: it is the tape of the call."""
    _check(sweep.round, i)
    functions, frames = [], []
    for form in (Form.AUGMENTED, Form.REVERSE):
        starter = _Starter(sweep.round, i, signature, form)
        frame = runtime.ALLOCATE.call(sweep.b, arena, int_constant(alloc_size(starter.frame)))
        starter.store(sweep, i, frame)
        functions.append(starter.function())
        frames.append(frame)
    return _runtime_of(i).make.call(sweep.b, arena, *functions, *frames)


def run_forward(sweep: Cloning, i: Instruction, signature: Signature, form: Form) -> None:
    """Emits what makes the thread of a call in forward mode."""
    _check(sweep.round, i)
    starter = _Starter(sweep.round, i, signature, form)
    frame = Builder.first(sweep.target.entry).alloca(starter.frame, align=16)
    starter.store(sweep, i, frame)
    nothing = zero(PTR)
    runtime.FIBER_MAKE.call(sweep.b, nothing, starter.function(), nothing, frame, nothing)


def reverse_apart(b: Builder, i: Instruction, made: Value) -> None:
    """Emits what waits in the reverse sweep until the task or thread is reversed."""
    _runtime_of(i).back.call(b, made)


def _runtime_of(i: Instruction) -> _Runtime:
    return _THREAD if is_thread_call(i) else _TASK


def _check(round: Round, i: Instruction) -> None:
    options = round.options
    if options.is_last and not options.separate_additions:
        return
    if is_thread_call(i):
        raise NotOnFibers("more than the derivative of a thread is asked for")
    raise NotOnTeams("more than the derivative of a task is asked for")


class _Starter:
    """Calls one form of a task's derivative. `frame`: what the form is passed."""

    def __init__(self, round: Round, call: Instruction, signature: Signature, form: Form) -> None:
        self.form, self._round, self._signature = form, round, signature
        self._runtime = _runtime_of(call)
        self._name, self._proto = round.derivatives.of(signature, form)
        self._passed = replace(self._proto.parameters, arena=None, tape=None)
        self.frame = StructType(tuple(self._passed.in_order()))
        self._offsets = list(field_offsets(self.frame))

    def store(self, sweep: Cloning, i: Instruction, frame: Value) -> None:
        """Emits what stores what the call passes."""
        values = call_parameters(sweep, i, self._signature, self.form).in_order()
        for value, offset in zip(values, self._offsets, strict=True):
            sweep.b.store(value, sweep.b.offset(frame, offset))

    def function(self) -> Value:
        """Returns the starter, which is made once."""
        symbol = global_name(f"__ez_task.{plain_name(self._name)}")
        return self._round.make_once(symbol, _STARTER, "noinline nounwind", self._fill)

    def _fill(self, function: Function) -> None:
        b = Builder(function.add_block())
        task, frame = function.arguments
        types: Sequence[Type] = self.frame.fields
        passed = [b.load(t, b.offset(frame, o)) for t, o in zip(types, self._offsets, strict=True)]
        given = self._passed.unpack(passed)
        if self.form is Form.AUGMENTED:
            self._augmented(b, task, given)
        elif self.form is Form.REVERSE:
            b = self._reverse(b, function, task, given)
        else:
            b.call(self._name, self._proto.result, given.in_order())
        b.ret()

    def _augmented(self, b: Builder, task: Value, given: Parameters[Value]) -> None:
        proto: Prototype = self._proto
        arena = task if self._runtime is _TASK else runtime.FIBER_ARENA.call(b, task)
        result = b.call(self._name, proto.result, replace(given, arena=arena).in_order())
        place = proto.places.tape
        self._runtime.done.call(b, task, zero(PTR) if place is None else b.extract_value(result, place))

    def _reverse(self, b: Builder, function: Function, task: Value, given: Parameters[Value]) -> Builder:
        """Calls the reverse function, or the one for a team of one if no other thread runs."""
        given = replace(given, tape=self._runtime.tape.call(b, task))
        if not self._signature.team.is_own:
            b.call(self._name, self._proto.result, given.in_order())
            return b
        together, by_itself, after = (function.add_block() for _ in range(3))
        b.cond_br(b.icmp("eq", runtime.TEAM_IS_ONE.call(b), int_constant(0)), together, by_itself)
        for block, name in ((together, self._name), (by_itself, alone(self._name))):
            at = Builder(block)
            at.call(name, self._proto.result, given.in_order())
            at.br(after)
        return Builder(after)
