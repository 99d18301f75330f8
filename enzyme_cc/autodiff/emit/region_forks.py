"""Runs derivatives of parallel regions on teams of threads (toolchain/runtime/teams.c).

Each thread of the team calls a *starter*, which takes the derivative's arguments from memory of the thread that forks.

- The primal sweep: the thread joins the team, and calls the augmented function with an arena of its own.
- The reverse sweep: the thread reverses what members of the team did. Adjoints of captured numbers are added up.
- Forward mode: the thread calls the tangent function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from ...analysis.callees import plain_name
from ...analysis.region_calls import LEADING, place_of_region
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant, zero
from ...ir.leaves import float_leaves
from ...ir.module import global_name
from ...ir.types import I32, PTR, VOID, FunctionType, StructType, Type, alloc_size, field_offsets
from ...ir.values import Block, CallInfo, Function, Instruction, MemoryInfo, Value
from ...report.diagnostics import NotOnTeams
from ...rules import runtime_functions as runtime
from ...rules.parallel.openmp import FORK
from ..core.calling_convention import Parameters, Prototype
from ..core.derivatives import alone
from ..core.round import Round
from ..core.signature import Form, Signature
from .variables_of_threads import clear_own

_STARTER = FunctionType(VOID, (PTR, PTR, PTR))
_FORK_TYPE = FunctionType(VOID, (PTR, I32, PTR), vararg=True)


def fork_primal(b: Builder, call: Instruction, arguments: Sequence[Value]) -> None:
    """Emits a fork of the region itself, for a region that carries no derivative."""
    _fork(b, place_of_region(call), call.callee, arguments[LEADING:])


def _fork(b: Builder, place: Value, function: Value, captures: Sequence[Value]) -> None:
    operands = [place, int_constant(len(captures), I32), function, *captures]
    info = CallInfo(_FORK_TYPE, ("",) * len(operands))
    b.insert(Instruction("call", VOID, [*operands, GlobalRef.of(f"@{FORK}")], info))


class RegionDerivative(Struct, frozen=True):
    """One form of the derivative of a region. `target`: the function that forks; `call`: the region's call."""

    round: Round
    target: Function
    call: Instruction
    signature: Signature
    form: Form

    def run(self, b: Builder, given: Parameters[Value], team: Value | None = None) -> Mapping[int, Sequence[Value]]:
        """Emits the fork. Returns the adjoints of captured numbers. `team` is not given in forward mode."""
        options = self.round.options
        if not options.is_last or options.separate_additions or self.form not in _BODIES:
            raise NotOnTeams("more than the derivative of a region is asked for")
        name, proto = self.round.derivatives.of(self.signature, self.form)
        starter = _Starter(self.round, self.signature, self.form, name, proto)
        tables = runtime.TEAM_TABLES.call(b) if self.signature.team.is_own else zero(PTR)
        values = [team or zero(PTR), tables, *replace(given, arena=None, tape=None).in_order()]
        frame = Builder.first(self.target.entry).alloca(starter.frame, align=16)
        for value, offset in zip(values, starter.offsets, strict=False):
            b.store(value, b.offset(frame, offset))
        for type_, offset in starter.sums:
            b.store(zero(type_), b.offset(frame, offset))
        if self.form is Form.REVERSE and team is not None:
            runtime.TEAM_REVERSE.call(b, place_of_region(self.call), team, starter.function(), frame)
        else:
            if not self.signature.team.is_own:
                self._ask_for_one_thread(b)
            _fork(b, place_of_region(self.call), starter.function(), [frame])
        if self.signature.team.is_own:
            runtime.TEAM_TOOK_TABLES.call(b)
        sums = iter([b.load(type_, b.offset(frame, offset)) for type_, offset in starter.sums])
        return {k: [next(sums) for _ in places] for k, places in proto.places.adjoints.items()}

    def _ask_for_one_thread(self, b: Builder) -> None:
        place = place_of_region(self.call)
        thread = b.call("@__kmpc_global_thread_num", I32, (place,))
        b.call("@__kmpc_push_num_threads", VOID, (place, thread, int_constant(1, I32)))


class _Starter:
    """The starter of one derivative. `frame`: the team, tables, arguments and shadows, sums of adjoints."""

    def __init__(self, round: Round, signature: Signature, form: Form, name: str, proto: Prototype) -> None:
        self._round, self._signature, self._form, self._name, self._proto = round, signature, form, name, proto
        self._passed = replace(proto.parameters, arena=None, tape=None)
        adjoints = [t for types in proto.results.adjoints.values() for t in types]
        fields: tuple[Type, ...] = (PTR, PTR, *self._passed.in_order(), *adjoints)
        self.frame = StructType(fields)
        self.offsets = list(field_offsets(self.frame))
        first = len(fields) - len(adjoints)
        self.sums = list(zip(adjoints, self.offsets[first:], strict=True))

    def function(self) -> Value:
        """Returns the starter, which is made once."""
        symbol = global_name(f"__ez_start.{plain_name(self._name)}")
        return self._round.make_once(symbol, _STARTER, "noinline nounwind", partial(_BODIES[self._form], self))

    def _given(self, b: Builder, function: Function) -> tuple[Value, Value, Parameters[Value]]:
        """Returns the team, the tables that the thread used before, and what the derivative is passed."""
        thread, bound, frame = function.arguments
        types = self._passed.in_order()
        loaded = [b.load(t, b.offset(frame, o)) for t, o in zip([PTR, PTR, *types], self.offsets, strict=False)]
        before = runtime.TEAM_USE_TABLES.call(b, loaded[1]) if self._signature.team.is_own else zero(PTR)
        if self._signature.team.is_own:
            forward = self._form is Form.TANGENT
            clear_own(self._round, b, self._signature.function, self._signature.directions, forward=forward)
        given = self._passed.unpack(loaded[2:])
        arguments: list[Value] = [thread, bound, *given.arguments[LEADING:]]
        shadows: dict[int, Sequence[Value]] = {
            k: [arguments[k]] * len(v) if k < LEADING else v for k, v in given.shadows.items()
        }
        return loaded[0], before, Parameters(arguments, shadows, given.seeds)

    def _end(self, b: Builder, before: Value) -> None:
        if self._signature.team.is_own:
            runtime.TEAM_LEAVE_TABLES.call(b, before)
        b.ret()

    def _augmented(self, function: Function) -> None:
        b = Builder(function.add_block())
        team, before, given = self._given(b, function)
        member = runtime.TEAM_JOIN.call(b, team)
        result = b.call(self._name, self._proto.result, replace(given, arena=member).in_order())
        place = self._proto.places.tape
        tape = zero(PTR) if place is None else b.extract_value(result, place)
        runtime.TEAM_LEAVE_MEMBER.call(b, member, tape)
        self._end(b, before)

    def _reverse(self, function: Function) -> None:
        entry, head, body, end = (function.add_block() for _ in range(4))
        b = Builder(entry)
        team, before, given = self._given(b, function)
        first = runtime.TEAM_NEXT.call(b, team, zero(PTR))
        b.br(head)
        b = Builder(head)
        member = b.phi(PTR, [(first, entry)])
        b.cond_br(b.icmp("eq", member, zero(PTR)), end, body)
        b = Builder(body)
        given = replace(given, tape=runtime.TEAM_TAPE.call(b, member))
        b, result = self._run(b, function, team, given)
        self._add(b, function.arguments[2], result)
        following = runtime.TEAM_NEXT.call(b, team, member)
        _loop(b, member, following, head)
        self._end(Builder(end), before)

    def _run(self, b: Builder, function: Function, team: Value, given: Parameters[Value]) -> tuple[Builder, Value]:
        """Calls the reverse function, or the one for a team of one if no thread adds where others do.

        Returns its result.
        """
        if not self._signature.team.is_own:
            return b, b.call(self._name, self._proto.result, given.in_order())
        together, by_itself, after = (function.add_block() for _ in range(3))
        b.cond_br(b.icmp("eq", runtime.TEAM_IS_APART.call(b, team), int_constant(0)), together, by_itself)
        results = []
        for block, name in ((together, self._name), (by_itself, alone(self._name))):
            at = Builder(block)
            results.append((at.call(name, self._proto.result, given.in_order()), block))
            at.br(after)
        b = Builder(after)
        return b, results[0][0] if self._proto.result == VOID else b.phi(self._proto.result, results)

    def _add(self, b: Builder, frame: Value, result: Value) -> None:
        places = [place for of_argument in self._proto.places.adjoints.values() for place in of_argument]
        for place, (type_, offset) in zip(places, self.sums, strict=True):
            adjoint = b.extract_value(result, place)
            for indices, leaf, distance in float_leaves(type_):
                number = b.extract_value(adjoint, *indices) if indices else adjoint
                info = MemoryInfo(None, alloc_size(leaf), "monotonic", "fadd")
                b.emit("atomicrmw", leaf, (b.offset(frame, offset + distance), number), info)

    def _tangent(self, function: Function) -> None:
        b = Builder(function.add_block())
        _, before, given = self._given(b, function)
        b.call(self._name, self._proto.result, given.in_order())
        self._end(b, before)


def _loop(b: Builder, phi: Instruction, value: Value, head: Block) -> None:
    phi.append_operand(value)
    phi.append_operand(b.block)
    b.br(head)


_BODIES = {Form.AUGMENTED: _Starter._augmented, Form.REVERSE: _Starter._reverse, Form.TANGENT: _Starter._tangent}
