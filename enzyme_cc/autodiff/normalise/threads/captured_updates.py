"""Records in which order threads of a team make atomic updates of integers whose results they use.

    part[t] = …;
    if (left.fetch_sub(1) == 1)     the last thread to arrive
        … reads all parts …

What a thread does behind an update may rest on what others have done before theirs. So an update is a section of one
lock, with a ticket (rules/parallel/openmp.py): the reverse sweep passes the updates in the opposite order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....analysis.callees import plain_name
from ....analysis.references import functions_referenced
from ....analysis.region_calls import is_region_call, is_task_call
from ....ir.builder import Builder
from ....ir.constants import ConstantExpr, GlobalRef
from ....ir.folding import int_constant, zero
from ....ir.graphs import reachable
from ....ir.module import Module
from ....ir.types import PTR, IntType
from ....ir.values import Function, Instruction
from ....report.diagnostics import NotOnTeams
from ....rules import runtime_functions as runtime
from ....rules.parallel.openmp import UNORDERED_UPDATES

#: the kind of such a section, whose lock is the runtime's own, and what stands for it (toolchain/runtime/teams.c)
_UPDATE = int_constant(4)
_LOCK = ConstantExpr(PTR, "inttoptr", (int_constant(1),))


def order_captured_updates(source: Module, functions: Iterable[Function]) -> None:
    """Makes sections of such updates in what regions reach, in place.

    Raises `NotOnTeams` if a task makes one, or if a loop waits for what another thread of the team does.
    """
    bodies = {function.name: function for function in functions}
    calls = [i for body in bodies.values() for i in body.instructions() if i.opcode == "call"]
    for function in _reached(source, bodies, filter(is_region_call, calls)):
        for i in list(function.instructions()):
            if _is_captured(i):
                _make_section(source, i)
            elif plain_name(i.callee_name) == runtime.FIBER_WAIT.name:  # spin_waits.py
                raise NotOnTeams(f"a loop waits for what another thread does in {plain_name(function.name)}")
    for function in _reached(source, bodies, filter(is_task_call, calls)):
        if any(map(_is_captured, function.instructions())):
            raise NotOnTeams(f"a task uses the result of an atomic update in {plain_name(function.name)}")


def _reached(source: Module, bodies: dict[str, Function], calls: Iterable[Instruction]) -> Iterator[Function]:
    """Yields the functions that calls reach."""
    starts = dict.fromkeys(str(i.callee) for i in calls if isinstance(i.callee, GlobalRef))
    named = reachable(starts, lambda name: functions_referenced(source, bodies[name]) if name in bodies else [])
    return (bodies[name] for name in named if name in bodies)


def _is_captured(i: Instruction) -> bool:
    is_unordered = i.opcode == "atomicrmw" and i.memory.operation in UNORDERED_UPDATES
    return is_unordered and isinstance(i.type, IntType) and bool(i.users)


def _make_section(source: Module, update: Instruction) -> None:
    assert update.block is not None
    instructions = update.block.instructions
    after = instructions[instructions.index(update) + 1]
    for row, at in ((runtime.TEAM_ENTER, update), (runtime.TEAM_LEAVE, after)):
        row.call(Builder.before(at), zero(PTR), _LOCK, _UPDATE)
        row.declare(source)
