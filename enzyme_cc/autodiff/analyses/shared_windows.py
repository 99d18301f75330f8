"""Refuses what has no derivative where ranks of MPI share memory, or threads share shadows."""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.callees import plain_name
from ...analysis.shared_memory import watched_memory
from ...ir.values import Instruction
from ...report.diagnostics import Diagnostic, EnzymeError
from ...rules.knowledge import CalleeKind
from ...rules.parallel.mpi import MESSAGE_ROUTINE
from ..core.round import Round
from .function_analyses import FunctionAnalyses
from .refusals import refusal

_WATCHED = "ranks of MPI share memory, and this access may wait for another rank; order ranks by calls of MPI"


def check_order(round: Round) -> None:
    """Raises EnzymeError if ranks that share memory may wait for what another one writes."""
    if not round.shares_memory:
        return
    found = watched_memory(round.source, sorted(round.differentiated))
    problems = [d for function, i in found for d in refusal(round, function, i, _WATCHED).diagnostics]
    if problems:
        raise EnzymeError(problems)


def refusal_of_addition(round: Round, function: str, why: str) -> EnzymeError:
    """Returns the error for an addition to shadows that others cannot make at the same time: ranks, or threads."""
    place = round.source.function_location(round.source.functions[function])
    others = ("ranks of MPI share memory", "memory that ranks share")
    others = others if round.shares_memory else ("threads share shadows (enzyme_shared)", "shadows that threads share")
    reason = f"{others[0]}, and add to them at the same time: {why}"
    return EnzymeError([Diagnostic("EZ0304", others[1], place, plain_name(function), reason)])


def shared_memory_problems(analyses: FunctionAnalyses) -> Iterator[tuple[Instruction, str]]:
    """Yields the calls of functions whose derivatives add to shadows as if no other rank did."""
    if not analyses.round.shares_memory:
        return
    own = analyses.round.registered.handles
    for i in analyses.function.instructions():
        callee = analyses.activity.callees.of(i) if i in analyses.activity.active_calls else None
        if callee is None or callee.kind is not CalleeKind.CUSTOM or callee.name in own:
            continue
        if plain_name(callee.name) != MESSAGE_ROUTINE:
            name = plain_name(callee.name)
            yield i, f"{name} has a derivative of its own, which does not know that ranks share memory"
