"""What `--enzyme-explain` prints about one derivative, with the place in the source at the start of each line.

It lists each active instruction with the rule of its adjoint, and says of each value that the reverse sweep uses
whether it is stored, reloaded or computed again.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from ...analysis.callees import plain_name
from ...analysis.storage.needs import Need, NeedKind, need_type
from ...analysis.storage.store_or_recompute import Plan
from ...ir.types import alloc_size
from ...ir.values import Instruction
from ...report.spelling import as_in_source
from ...rules.knowledge import CalleeKind
from ...rules.rule import Rule
from ...rules.table import INSTRUCTIONS
from ..analyses.function_analyses import FunctionAnalyses
from ..analyses.storage_remarks import remarks
from ..core.round import Round

_STRUCTURAL = {
    "load": "added to shadow memory",
    "store": "taken from shadow memory, which is then zero",
    "phi": "given to the value of the branch taken",
    "select": "given to the value selected",
    "fpext": "converted",
    "fptrunc": "converted",
    "ret": "the seed",
    "alloca": "its shadow memory",
    "atomicrmw": "added to shadow memory",
}
_MOVED = "given to its parts"
_CALLS = {kind: kind.value for kind in CalleeKind} | {
    CalleeKind.COPY: "shadow memory is added, and what was copied over is zero",
    CalleeKind.FILL: "shadow memory is zero",
    CalleeKind.ALLOCATE: "its shadow memory",
    CalleeKind.REALLOCATE: "its shadow memory moves back",
    CalleeKind.FREE: "freed after the reverse sweep",
}


def report(round: Round, analyses: FunctionAnalyses, plan: Plan) -> None:
    """Prints the explanation to stderr, and collects the remarks, if the user asked for them."""
    if round.options.explain:
        calls = round.derivatives.chains.functions(analyses.signature)
        print(as_in_source(explain(analyses, calls, plan)), file=sys.stderr)
    if round.options.remarks:
        round.remarks.extend(remarks(analyses, plan))


def explain(analyses: FunctionAnalyses, calls: tuple[str, ...], plan: Plan) -> str:
    """Returns the explanation of one derivative; `calls` is the chain of calls that leads to it."""
    active = [i for i in analyses.function.instructions() if _has_adjoint(analyses, i)]
    place = analyses.round.source.function_location(analyses.function)
    lines = [
        f"enzyme-cc: {'adjoint, split,' if analyses.split else 'adjoint'} of {plain_name(analyses.function.name)}"
        + (f" ({place})" if place else "")
    ]
    if len(calls) > 1:
        lines.append(f"  reached by: {' calls '.join(calls)}")
    lines += _section(f"{len(active)} active instructions", (_line(analyses, i, _rule(analyses, i)) for i in active))
    for scope, needs in plan.by_scope.items():
        size = sum(alloc_size(need_type(n)) for n in needs)
        where = "once" if scope is None else f"per iteration, depth {scope.depth}"
        lines += _section(f"stored {where}: {size} bytes", (_need(analyses, n) for n in needs))
    for title, is_read in (("reloaded", True), ("computed again", False)):
        again = {n for n in plan.computed if isinstance(n.of, Instruction) and _is_read(n.of, plan) is is_read}
        ordered = [n for i in analyses.function.instructions() for n in _both(i) if n in again]
        lines += _section(title, (_need(analyses, n) for n in ordered)) if ordered else []
    if plan.refills():
        lines += _section("filled again from copies", (_line(analyses, i, "its source") for i in plan.refills()))
    return "\n".join(lines)


def _is_read(i: Instruction, plan: Plan) -> bool:
    return i.opcode == "load" or i in plan.reread


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Yields equal lines once, with their number: unrolled and inlined code repeats itself."""
    yield f"  {title}"
    for line, times in Counter(lines).items():
        yield f"    {line}" + (f" ({times} times)" if times > 1 else "")


def _has_adjoint(analyses: FunctionAnalyses, i: Instruction) -> bool:
    return analyses.activity.active(i) or analyses.has_reverse_work(i)


def _line(analyses: FunctionAnalyses, i: Instruction, text: str) -> str:
    place = analyses.round.source.source_location(i)
    what = f"{i.opcode} {plain_name(analyses.activity.callees.of(i).name)}" if i.opcode == "call" else i.opcode
    return f"{place + ': ' if place else ''}{what.rstrip()}: {text}"


def _both(i: Instruction) -> tuple[Need, Need]:
    return Need(NeedKind.PRIMAL, i), Need(NeedKind.SHADOW, i)


def _need(analyses: FunctionAnalyses, need: Need) -> str:
    if isinstance(need.of, Instruction):
        has_type = need.kind in (NeedKind.PRIMAL, NeedKind.SHADOW)
        return _line(analyses, need.of, f"{need.kind.value} {need.of.type}" if has_type else need.kind.value)
    return need.kind.value


def _rule(analyses: FunctionAnalyses, i: Instruction) -> str:
    if i.opcode in INSTRUCTIONS:
        return _partials(INSTRUCTIONS[i.opcode])
    if i.opcode == "call":
        return _call(analyses, i)
    return _STRUCTURAL.get(i.opcode, _MOVED)


def _call(analyses: FunctionAnalyses, i: Instruction) -> str:
    callee = analyses.activity.callees.of(i)
    if callee.rule is not None:
        return _partials(callee.rule)
    if callee.kind in (CalleeKind.DEFINED, CalleeKind.CUSTOM):
        if analyses.is_late(i):
            return "its whole gradient in the reverse sweep"
        return "split: augmented and reverse" + (", a long tape is dropped" if analyses.may_be_dropped(i) else "")
    return _CALLS[callee.kind]


def _partials(rule: Rule) -> str:
    if rule.kind == "reduce":
        return f"rule {rule.name}"
    rows = [rule.partials, *rule.fields, *rule.outputs.values()]
    return f"rule {rule.name}: " + "; ".join(" | ".join(e.text for e in row) for row in rows if row)
