"""Remarks about one derivative in reverse mode: what its plan stores, its size, why, and what it recomputes.

Also what users should know of the program: parallel regions, and bisections.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.bisections import bisections
from ...analysis.callees import plain_name
from ...analysis.region_calls import is_region_call
from ...analysis.storage.needs import Need, NeedKind, need_type
from ...analysis.storage.store_or_recompute import Plan
from ...ir.cfg import Loop
from ...ir.types import alloc_size
from ...ir.values import Block, Instruction
from ...report.remarks import Remark, RemarkKind
from .function_analyses import FunctionAnalyses

#: the call of OpenMP's library that begins a region in a team of one
_REGION = "@__kmpc_serialized_parallel"
_FACTS = {
    "OneThread": "this parallel region runs in one thread",
    "OnTeam": "this parallel region runs on a team of threads",
    "Atomic": "the adjoint of this load is added atomically: other threads may add to the same memory",
    "Apart": "the adjoint of this load is added plainly: each thread adds elsewhere",
    "ApartByTest": (
        "the adjoint of this load is added plainly if the shadows of the arrays do not overlap, or else atomically"
    ),
    "ApartByRow": (
        "the adjoint of this load is added plainly where the run finds that iterations of the divided loop reach "
        "different memory, or are far enough from other threads' iterations, or else atomically"
    ),
    "Copied": (
        "the adjoint of this load is added to a copy that the thread has of the shadow, which is added to it at the "
        "next barrier, or else atomically: the run finds how large the copy is, and whether the loop also writes there"
    ),
    "InWindow": (
        "the adjoint of this load is added to a copy that the thread has of a part of the shadow, which is added to it "
        "at the next barrier, or atomically where the index is beyond that part: what the indices are is not known"
    ),
    "ApartOrCopied": (
        "the adjoint of this load is added plainly if the run finds that iterations of the divided loop reach "
        "different memory, or else to a copy that the thread has of the shadow, or else atomically"
    ),
    "ApartByZone": (
        "the adjoint of this load is added plainly where the run finds that no other thread reaches the memory, or "
        "else atomically"
    ),
    "Bisection": (
        "this comparison halves the bracket of a bisection: the number that is found has the derivative of the "
        "bracket, not that of the root, unless a step of Newton's method follows (docs/iterative-solvers.md)"
    ),
}
#: why a need that is no value of the program is stored
_REASONS = {
    NeedKind.SOURCE: "the reverse sweep takes the branch that the program took, and its condition is not known then",
    NeedKind.LAST: "the number of iterations is not known before the loop",
    NeedKind.RECORD: "it is where the loop's values are stored",
    NeedKind.TAPE: "the call is made once, and its reverse needs the values of this call",
    NeedKind.SIZE: "the reverse sweep moves the block back",
    NeedKind.BYTES: "the reverse sweep adds to what the shadow of the source held",
    NeedKind.LOG: "the reverse sweep puts back what this write overwrites, and reads it there",
    NeedKind.EXIT: "the reverse sweep begins at the return that the function took",
}
_NAMES = {
    NeedKind.SHADOW: "the shadow of this pointer",
    NeedKind.SOURCE: "the branch taken",
    NeedKind.LAST: "the number of iterations of this loop",
    NeedKind.RECORD: "the address of the tape of this loop",
    NeedKind.TAPE: "the tape of this call",
    NeedKind.LOG: "what this write overwrites",
    NeedKind.EXIT: "the return taken",
}


def remarks(analyses: FunctionAnalyses, plan: Plan) -> Iterator[Remark]:
    """Yields the remarks: parallel regions and bisections; a summary for each loop that stores, then each value."""
    function = plain_name(analyses.function.name)
    place = analyses.round.source.function_location(analyses.function)
    for name, i in _found(analyses):
        at = analyses.round.source.source_location(i) or place
        yield Remark(RemarkKind.ANALYSIS, name, function, at, (("String", _FACTS[name] + _why(analyses, name, i)),))
    for scope, needs in plan.by_scope.items():
        parts = (("String", "the tape holds "), ("Bytes", str(sum(map(_size, needs)))), ("String", _scope(scope)))
        yield Remark(RemarkKind.ANALYSIS, "Tape", function, place, parts)
    if not plan.by_scope:
        yield Remark(RemarkKind.ANALYSIS, "Tape", function, place, (("String", "the tape holds nothing"),))
    for scope, needs in plan.by_scope.items():
        for need in needs:
            why = (
                ("Value", _NAMES.get(need.kind, f"the value of this {_what(analyses, need)}")),
                ("String", " is stored: "),
                ("Bytes", str(_size(need))),
                ("String", _scope(scope) + "; "),
                ("Reason", _reason(analyses, need)),
            )
            yield Remark(RemarkKind.MISSED, "Stored", function, location(analyses, need) or place, why)
    for need in plan.computed:
        if need.kind is NeedKind.PRIMAL and isinstance(need.of, Instruction):
            how = "read again" if need.of.opcode == "load" or need.of in plan.reread else "computed again"
            value = ("Value", f"the value of this {_what(analyses, need)}")
            found = (value, ("String", f" is {how} by the reverse sweep"))
            yield Remark(RemarkKind.PASSED, "NotStored", function, location(analyses, need) or place, found)


def _addition(analyses: FunctionAnalyses, load: Instruction) -> Iterator[tuple[str, Instruction]]:
    """Yields how the adjoint of a load is added in a team, unless the thread alone reaches the memory."""
    if analyses.shadow_states().of(load.operands[0]).is_added_by_team:
        apart, places = analyses.apart_additions, analyses.team_places
        distances = apart.distances(load) if apart is not None else None
        found = places.group(load) if places is not None and distances is None else None
        if places is not None and found is not None and places.has_window(found):
            yield "InWindow", load
            return
        if places is not None and found is not None and places.is_better(found):
            is_apart, is_copied = places.apart(found) is not None, places.has_copy(found)
            yield "ApartOrCopied" if is_apart and is_copied else "Copied" if is_copied else "ApartByRow", load
            return
        how = "ApartByZone" if load in analyses.noted_accesses else "Atomic"
        yield how if distances is None else "ApartByTest" if distances else "Apart", load


def _why(analyses: FunctionAnalyses, name: str, i: Instruction) -> str:
    if name != "OneThread":
        return ""
    options, round = analyses.round.options, analyses.round
    why = options.why_serial or (round.alone.get(round.callees.of(i).name, "") if is_region_call(i) else "")
    return f": {why}" if why else ""


def _found(analyses: FunctionAnalyses) -> Iterator[tuple[str, Instruction]]:
    """Yields the instructions that stand for a fact of the program, with its name."""
    for i in analyses.function.instructions():
        if i.opcode == "call" and str(i.callee) == _REGION:
            yield "OneThread", i
        elif is_region_call(i):
            yield "OnTeam" if analyses.team_of(i) else "OneThread", i
        elif analyses.signature.team and i.opcode == "load" and analyses.activity.active(i):
            yield from _addition(analyses, i)
    for comparison in bisections(analyses.flow, analyses.activity.varied, analyses.activity.useful):
        yield "Bisection", comparison


def _size(need: Need) -> int:
    return alloc_size(need_type(need))


def _scope(scope: Loop | None) -> str:
    if scope is None:
        return " bytes"
    return " bytes in each iteration" + (f" of {scope.depth} loops" if scope.depth > 1 else "")


def _what(analyses: FunctionAnalyses, need: Need) -> str:
    i = need.of
    if not isinstance(i, Instruction):
        return need.kind.value
    return f"{i.opcode} {_called(analyses, i)}".rstrip()


def _called(analyses: FunctionAnalyses, i: Instruction) -> str:
    return plain_name(analyses.activity.callees.of(i).name) if i.opcode == "call" else ""


def location(analyses: FunctionAnalyses, need: Need) -> str | None:
    """Returns "file:line:column" of what a need is of, if it is known."""
    block = need.of.header if isinstance(need.of, Loop) else need.of
    i = block.terminator if isinstance(block, Block) else block
    return analyses.round.source.source_location(i) if isinstance(i, Instruction) else None


def _reason(analyses: FunctionAnalyses, need: Need) -> str:
    """Why the need is stored."""
    i = need.of
    if need.kind in _REASONS or not isinstance(i, Instruction):
        return _REASONS.get(need.kind, "the reverse sweep cannot compute it")
    if i.opcode == "load" and (i.flags or analyses.recipes.intact(i) is False):
        return _overwritten(analyses, i)
    if analyses.recipes.inputs(need) is not None:
        return "what it would be computed from takes as much memory, or is overwritten before it is needed"
    if i.opcode == "phi":
        return "it depends on the path that the program took"
    return "the call is not made again" if i.opcode == "call" else "it is not computed again"


def _overwritten(analyses: FunctionAnalyses, load: Instruction) -> str:
    if load.flags:
        return "it is a volatile or atomic access"
    write = analyses.facts.overwritten_after(load)
    if write is None:
        return "the memory that it reads may be overwritten by a caller before the reverse sweep"
    place = analyses.round.source.source_location(write)
    what = f"the {write.opcode} {_called(analyses, write)}".rstrip()
    return f"the memory that it reads may be overwritten by {what}" + (f" at {place}" if place else "")
