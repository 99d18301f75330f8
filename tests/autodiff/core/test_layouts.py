"""Layouts of memory that is copied or filled, as the runtime's functions take them."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.type_analysis.analysis import Kind, Layout, Segment
from enzyme_cc.autodiff.core.layouts import find_layout, float_segments, layout_of, pointer_segments, stride
from enzyme_cc.ir.folding import int_constant
from enzyme_cc.report.diagnostics import EnzymeError

from ..rounds import DOUBLE, POINTER, complete

#: memory behind %known begins with a pointer and a number; nothing is known of %unknown
PROGRAM = f"""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %known, ptr %unknown, ptr %other) {{
  %p = load ptr, ptr %known{POINTER}
  %at = getelementptr i8, ptr %known, i64 8
  %x = load double, ptr %at{DOUBLE}
  call void @llvm.memcpy.p0.p0.i64(ptr %unknown, ptr %other, i64 16, i1 false)
  ret void
}}
"""


def test_a_pointer_that_tells_decides_for_all() -> None:
    round = complete(PROGRAM)
    known, unknown, _ = round.source.body("@f").arguments
    found = find_layout(round.types, [unknown, known], 16)
    assert found is not None
    assert [suffix for suffix, _ in float_segments(found)] == ["f64"]
    assert [(s.offset, s.length) for s in pointer_segments(found)] == [(0, 8)]


def test_memory_of_unknown_type_is_refused() -> None:
    round = complete(PROGRAM)
    function = round.source.body("@f")
    copy = next(i for i in function.instructions() if i.opcode == "call")
    assert find_layout(round.types, copy.arguments[:2], 16) is None
    with pytest.raises(EnzymeError) as error:
        layout_of(round, function, copy, copy.arguments[:2], copy.arguments[2])
    assert error.value.diagnostics[0].id == "EZ0303"


def test_a_long_double_takes_sixteen_bytes() -> None:
    layout = Layout(None, (Segment(0, 10, Kind.X86_FP80),))
    assert [(suffix, s.length) for suffix, s in float_segments(layout)] == [("f80", 16)]


def test_without_a_period_all_bytes_are_one_period() -> None:
    segment = Segment(8, 8, Kind.DOUBLE)
    once, repeated = (stride(Layout(period, (segment,)), segment, int_constant(64)) for period in (None, 16))
    assert [str(value) for value in once] == ["64", "8", "8"]
    assert [str(value) for value in repeated] == ["16", "8", "8"]
