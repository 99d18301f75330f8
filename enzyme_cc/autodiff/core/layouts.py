"""What the memory of copies and fills holds, as the runtime's functions are told: type analysis' word, or a refusal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...analysis.type_analysis.analysis import Kind, Layout, Segment, TypeAnalysis
from ...ir.constants import ConstantInt
from ...ir.folding import int_constant
from ...ir.types import align_up
from ...ir.values import Function, Instruction, Value
from ...report.diagnostics import EnzymeError
from .round import Round

#: suffix of the runtime functions for each floating-point kind
FLOAT_SUFFIX = {Kind.DOUBLE: "f64", Kind.FLOAT: "f32", Kind.X86_FP80: "f80"}


def layout_of(round: Round, function: Function, i: Instruction, pointers: list[Value], size: Value | None) -> Layout:
    """What the bytes of a copy or fill hold, by any of the pointers. Raises EnzymeError where nobody knows."""
    count, types = constant_size(size), round.types
    found = find_layout(types, pointers, count)
    if found is not None:
        return found
    raise EnzymeError.of(
        "EZ0303",
        "memory of unknown type is copied or filled in differentiated code",
        location=round.source.source_location(i),
        function=function.name,
        reason=types.why_unknown(pointers[0], count),
    )


def find_layout(types: TypeAnalysis, pointers: Iterable[Value], size: int | None) -> Layout | None:
    """The layout of memory that several pointers point at; None where none of them tells."""
    best: Layout | None = None
    for pointer in pointers:
        layout = types.layout(pointer, size)
        if layout is not None and not _undecided(layout) and (best is None or _anything(best)):
            best = layout
    return best


def constant_size(size: Value | None) -> int | None:
    return size.value if isinstance(size, ConstantInt) else None


def _undecided(layout: Layout) -> bool:
    return any(s.kind in (Kind.UNKNOWN, Kind.CONFLICT) for s in layout.segments)


def _anything(layout: Layout) -> bool:
    return all(s.kind is Kind.ANYTHING for s in layout.segments)


def float_segments(layout: Layout) -> Iterator[tuple[str, Segment]]:
    for segment in layout.segments:
        if segment.kind in FLOAT_SUFFIX:
            # a long double's ten bytes stand for all sixteen
            length = align_up(segment.length, 16) if segment.kind is Kind.X86_FP80 else segment.length
            yield FLOAT_SUFFIX[segment.kind], segment._replace(length=length)


def pointer_segments(layout: Layout) -> Iterator[Segment]:
    return (s for s in layout.segments if s.kind is Kind.POINTER)


def stride(layout: Layout, segment: Segment, size: Value) -> tuple[Value, Value, Value]:
    """(period, offset, length) for the runtime functions; one period is all bytes where the layout has none."""
    period = size if layout.period is None else int_constant(layout.period)
    return period, int_constant(segment.offset), int_constant(segment.length)
