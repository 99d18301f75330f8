"""Numbers of metadata in text, and marks of loops."""

from __future__ import annotations

from enzyme_cc.ir.text.metadata_numbers import LoopMarks, first_free

TEXT = "!0 = !{i32 1}\n!12 = !{!0}\n"


def test_first_free_number() -> None:
    assert first_free(TEXT) == 13
    assert first_free("define void @f() {\n}\n") == 0


def test_each_loop_is_distinct_and_has_the_hint() -> None:
    marks = LoopMarks(TEXT, '!"llvm.loop.unroll.full"')
    assert marks.nodes() == []
    assert [marks.mark(), marks.mark()] == [", !llvm.loop !14", ", !llvm.loop !15"]
    assert marks.nodes() == [
        '!13 = !{!"llvm.loop.unroll.full"}',
        "!14 = distinct !{!14, !13}",
        "!15 = distinct !{!15, !13}",
    ]
