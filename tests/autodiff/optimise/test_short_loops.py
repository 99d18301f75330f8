"""Which loops LLVM is told to unroll before differentiation."""

from __future__ import annotations

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


def loop(start: int, step: int, end: int, function: str = "@llvm.sqrt.f64", known: str = "") -> str:
    return LOOP.format(start=start, step=step, end=end, function=function, known=known)


@pytest.mark.parametrize("text", [loop(0, 1, 4), loop(0, 8, 16, known=", !llvm.loop !0"), loop(24, -8, 0)])
def test_a_short_loop_is_unrolled(text: str) -> None:
    marked, any_ = with_short_loops_marked(text)
    assert any_
    module = llvm_passes.parse(marked)
    llvm_passes.optimise(module, 2)
    assert "phi" not in str(module)


@pytest.mark.parametrize("text", [loop(0, 1, 5), loop(0, 8, 20), loop(0, 1, 2, "@other"), loop(0, 1, -4)])
def test_other_loops_stay(text: str) -> None:
    assert with_short_loops_marked(text) == (text, False)
