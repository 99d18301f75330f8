"""Which loops LLVM is told to unroll before differentiation."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.autodiff.optimise.short_loops import with_short_loops_marked
from enzyme_cc.ir import llvm_passes

LOOP = """define double @f(ptr %x) {{
  br label %loop

loop:
  %sum = phi double [ 0.0, %0 ], [ %more, %loop ]
  %at = phi i64 [ {start}, %0 ], [ %next, %loop ]
  %place = getelementptr i8, ptr %x, i64 %at
  %value = load double, ptr %place, align 8
  %root = call double {function}(double %value)
  %more = fadd double %sum, %root
  %next = add nuw nsw i64 %at, {step}
  %done = icmp eq i64 %next, {end}
  br i1 %done, label %out, label %loop{known}

out:
  ret double %more
}}

declare double @llvm.sqrt.f64(double)
declare double @other(double)

!0 = distinct !{{!0, !1}}
!1 = !{{!"llvm.loop.mustprogress"}}
"""

# a loop that runs twice, as LLVM makes it
TWICE = """define double @f(ptr %x) {{
  br label %loop

loop:
  %flag = phi i1 [ {first}, %0 ], [ {later}, %loop ]
  %sum = phi double [ 0.0, %0 ], [ %more, %loop ]
  %at = phi i64 [ 0, %0 ], [ 1, %loop ]
  %place = getelementptr double, ptr %x, i64 %at
  %value = load double, ptr %place, align 8
  %more = fadd double %sum, %value
  br i1 %flag, {targets}

out:
  ret double %more
}}
"""
STAYS, LEAVES = "label %loop, label %out", "label %out, label %loop"

DEBUG = """!llvm.dbg.cu = !{!6}
!llvm.module.flags = !{!5}
!4 = !DIFile(filename: "f.c", directory: "/")
!5 = !{i32 2, !"Debug Info Version", i32 3}
!6 = distinct !DICompileUnit(language: DW_LANG_C, file: !4, emissionKind: FullDebug)
!7 = !DISubroutineType(types: !{null})
!8 = distinct !DISubprogram(name: "f", scope: !4, file: !4, line: 1, type: !7, unit: !6, spFlags: DISPFlagDefinition)
!9 = !DILocation(line: 2, scope: !8)
"""


def loop(start: int, step: int, end: int, function: str = "@llvm.sqrt.f64", known: str = "") -> str:
    return LOOP.format(start=start, step=step, end=end, function=function, known=known)


def twice(first: str, later: str, targets: str) -> str:
    return TWICE.format(first=first, later=later, targets=targets)


def debugged(text: str) -> str:
    """Returns the module with a location at each instruction."""
    located = re.sub(r"^(  (?:%|br|ret)[^\n]*?)((?:, !llvm\.loop !0)?)$", r"\1, !dbg !9\2", text, flags=re.MULTILINE)
    return located.replace("(ptr %x) {", "(ptr %x) !dbg !8 {") + DEBUG


@pytest.mark.parametrize(
    "text",
    [
        loop(0, 1, 4),
        loop(0, 8, 16, known=", !llvm.loop !0"),
        loop(24, -8, 0),
        twice("true", "false", STAYS),
        twice("false", "true", LEAVES),
    ],
)
@pytest.mark.parametrize("with_debug", [False, True])
def test_a_short_loop_is_unrolled(text: str, with_debug: bool) -> None:
    if with_debug:
        text = debugged(text)
    marked, any_ = with_short_loops_marked(text)
    assert any_
    module = llvm_passes.parse(marked)
    llvm_passes.optimise(module, 2)
    assert "phi" not in str(module)


@pytest.mark.parametrize(
    "text",
    [
        loop(0, 1, 5),
        loop(0, 8, 20),
        loop(0, 1, 2, "@other"),
        loop(0, 1, -4),
        twice("true", "true", STAYS),
        twice("false", "false", STAYS),
        twice("true", "false", LEAVES),
    ],
)
def test_other_loops_stay(text: str) -> None:
    assert with_short_loops_marked(text) == (text, False)
