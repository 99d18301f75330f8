"""Variables of which each thread has its own, in regions that run on teams: `threadprivate`, `thread_local`.

Their shadows are variables of threads, too. So the reverse sweep of a part of a region must run in the thread that ran
that part (toolchain/runtime/teams.c). A request clears the shadows when it begins (globals/foreign_memory.py), but only
those of its own thread: another one clears its own where it first takes part in the request.

Copies that all threads take from one of them are copies from memory that threads share.
"""

from __future__ import annotations

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant
from ...report.diagnostics import NotOnTeams
from ...rules import runtime_functions as runtime
from ..core.layouts import find_layout, float_segments, pointer_segments, stride
from ..core.round import Round
from ..globals.pointing import size_of
from ..globals.shadows import Shadows, constant_shadow


def variables_of_threads(round: Round, region: str) -> list[str]:
    """Returns those that a region reaches. Raises `NotOnTeams` if teams cannot have them."""
    found = sorted(name for name in round.globals_of[region] if round.source.globals[name].thread_local)
    for name in found:
        why = "there are tasks" if region in round.makes_tasks else _obstacle(round, name)
        if why:
            raise NotOnTeams(f"{why}, and {plain_name(name)} is a variable of each thread")
    return found


def _obstacle(round: Round, name: str) -> str:
    if name not in round.state.active_globals:
        return ""
    if name in round.declared:
        return "the program has a shadow of its own"
    if name in round.foreign_pointers.keys:
        return "results are kept from call to call"
    if round.foreign.records_numbers or round.foreign.records_pointers:
        return "derivatives are stored in memory without a shadow"
    size = size_of(round, name)
    layout = find_layout(round.types, [GlobalRef.of(name)], size) if size else None
    return "pointers or numbers of unknown type are in it" if layout is None or any(pointer_segments(layout)) else ""


def clear_own(round: Round, b: Builder, region: str, directions: int, *, forward: bool) -> None:
    """Emits what clears the shadows of a thread's own variables, if the thread is new in the request."""
    active = [name for name in variables_of_threads(round, region) if name in round.state.active_globals]
    if not active:
        return
    is_new = runtime.TEAM_IS_NEW.call(b)
    for name in active:
        layout = find_layout(round.types, [GlobalRef.of(name)], size_of(round, name))
        assert layout is not None
        size = int_constant(size_of(round, name))
        for _, segment in float_segments(layout):
            for direction in range(directions):
                shadow = constant_shadow(Shadows(round, direction, forward), GlobalRef.of(name))
                runtime.CLEAR.call(b, shadow, b.mul(is_new, size), *stride(layout, segment, size))
