"""Layouts of memory that is copied or filled: where its numbers and pointers are, as type analysis finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...analysis.callees import plain_name
from ...analysis.type_analysis.analysis import FLOATS, Kind, Layout, Segment, TypeAnalysis
from ...ir.constants import ConstantInt
from ...ir.folding import int_constant
from ...ir.types import align_up
from ...ir.values import Function, Instruction, Value
from ...report.diagnostics import EnzymeError
from .round import Round

#: suffix of the runtime's functions for each kind of number
FLOAT_SUFFIX = {
    Kind.DOUBLE: "f64", Kind.FLOAT: "f32", Kind.X86_FP80: "f80", Kind.FP128: "f128", Kind.HALF: "f16",
    Kind.BFLOAT: "bf16",
}  # fmt: skip

#: period, offset and length of bytes, as the runtime takes them
Stride = tuple[Value, Value, Value]


def layout_of(round: Round, function: Function, i: Instruction, pointers: list[Value], size: Value | None) -> Layout:
    """Returns the layout of the memory that an instruction copies or fills. Raises EnzymeError (EZ0303) if unknown.

    Where other accesses leave it open, the instruction's own declaration counts: it accesses objects of these types.
    """
    count, types = constant_size(size), round.types
    found = find_layout(types, pointers, count) or types.declared.layout(i, count)
    if found is not None:
        return found
    raise EnzymeError.of(
        "EZ0303",
        "memory of unknown type is copied or filled in differentiated code",
        location=round.source.source_location(i),
        function=plain_name(function.name),
        reason=types.contents(pointers[0], count).why_unknown,
    )


def find_layout(types: TypeAnalysis, pointers: Iterable[Value], size: int | None) -> Layout | None:
    """Returns the layout of memory behind several pointers to it; None if type analysis knows none of them."""
    best: Layout | None = None
    for pointer in pointers:
        layout = types.contents(pointer, size).layout
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
        if segment.kind in FLOATS:
            # the layout has the ten bytes of a long double, the runtime takes all sixteen
            length = align_up(segment.length, 16) if segment.kind is Kind.X86_FP80 else segment.length
            yield FLOAT_SUFFIX[segment.kind], segment._replace(length=length)


def pointer_segments(layout: Layout) -> Iterator[Segment]:
    return (s for s in layout.segments if s.kind is Kind.POINTER)


def stride(layout: Layout, segment: Segment, size: Value) -> Stride:
    """Returns where a segment lies. Without a period, one period is all of `size`."""
    period = size if layout.period is None else int_constant(layout.period)
    return period, int_constant(segment.offset), int_constant(segment.length)
