"""Calls registered functions once for each direction of vector mode, with the shadows of that direction.

A registered function has the effects of the primal in each call. So the first call is made to a copy that reports the
memory that it writes. Each later call begins with this memory as it was before the first call. At the end it is put
into the state that the first call left (toolchain/runtime/touched_again.c).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.values import Function, Instruction
from ...report.diagnostics import EnzymeError
from ...rules import runtime_functions as runtime
from ..core.round import Round
from ..normalise.watch import Watcher
from .shapes import Shape, writes_nothing

R = TypeVar("R")
#: calls the registered functions, by these names, for one direction
Calls = Callable[[int, Sequence[str]], R]


def call_in_directions(
    round: Round, b: Builder, primal: Function, directions: int, shapes: Sequence[Shape], calls: Calls[R]
) -> list[R]:
    """Returns the results of the calls, one for each direction.

    Raises EnzymeError (EZ0208) if it is unknown what memory the functions write.
    """
    plain = [shape.function.name for shape in shapes]
    if directions == 1 or all(writes_nothing(round.source, primal, name) for name in plain):
        return [calls(direction, plain) for direction in range(directions)]
    watched = [_watched(round, primal, name) for name in plain]
    text = round.text(f"the registered derivative of {plain_name(primal.name)}")
    record = runtime.AGAIN_BEGIN.call(b, text)
    results = [calls(0, watched)]
    runtime.AGAIN_DONE.call(b, record)
    for direction in range(1, directions):
        runtime.AGAIN_REWIND.call(b, record)
        results.append(calls(direction, plain))
    runtime.AGAIN_END.call(b, record)
    return results


def _watched(round: Round, primal: Function, name: str) -> str:
    def refusal(function: Function, i: Instruction | None, reason: str) -> EnzymeError:
        location = round.source.source_location(i) if i is not None else None
        return EnzymeError.of(
            "EZ0208",
            f"{plain_name(name)} cannot be called for several directions (enzyme_width)",
            location=location or round.source.function_location(function),
            function=plain_name(primal.name),
            reason=f"it does what {plain_name(primal.name)} does each time, and {reason}",
            remedy="make one request for each direction",
        )

    function = round.source.functions[name]
    if function.is_declaration:
        raise refusal(function, None, "there is no bitcode of it to see what memory that changes")
    if round.options.differentiated_again:
        raise refusal(function, None, "what takes that back cannot be differentiated itself, as this request is")
    return Watcher(round.output, refusal).copy(name)
