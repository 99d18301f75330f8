"""Integers in memory that holds numbers at other times: counters and flags, which are not refused."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.unsupported import find_unsupported

from .inputs import Input

INTEGERS = {
    "a counter that is copied to where numbers lie at other times": """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define float @f(ptr %p, ptr %q) {
  %count = alloca i32
  store i32 0, ptr %count
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %count, i64 4, i1 false)
  %word = load i32, ptr %p
  %odd = or i32 %word, 1
  store i32 %odd, ptr %q, !tbaa !0
  %n = load i32, ptr %count
  %more = add i32 %n, 1
  store i32 %more, ptr %count
  %x = load float, ptr %p
  %y = load float, ptr %q
  %z = fadd float %x, %y
  ret float %z
}""",
    "flags that are declared integers, where numbers lie at other times": """
define float @f(ptr %p, ptr %q) {
  %flags = load i32, ptr %p, !tbaa !0
  %set = or i32 %flags, 2
  store i32 %set, ptr %p, !tbaa !0
  %n = load i32, ptr %q
  %more = add i32 %n, 1
  store i32 %more, ptr %p
  %x = load float, ptr %p
  %y = load float, ptr %q
  %z = fadd float %x, %y
  ret float %z
}""",
    "a product of integers, which copies the bytes of none": """
define void @f(ptr %p, ptr %q) {
  %n = load i64, ptr %p
  %size = mul i64 %n, %n
  br label %next
next:
  %sink = phi i64 [ %size, %0 ]
  store i64 %sink, ptr %q
  %x = load double, ptr %q
  %r = load ptr, ptr %q
  ret void
}""",
    "a flag of a byte that is inverted, where numbers lie at other times": """
define double @f(ptr %p, ptr %q) {
  %flag = load i8, ptr %p
  %other = sub i8 1, %flag
  store i8 %other, ptr %p
  %x = load double, ptr %p
  ret double %x
}""",
    "a byte that is declared a bool, where numbers lie at other times": """
define float @f(ptr %p, ptr %q) {
  %is = load i8, ptr %p, !tbaa !2
  store i8 %is, ptr %q, !tbaa !2
  %n = load i32, ptr %q
  %more = add i32 %n, 1
  store i32 %more, ptr %p
  %x = load float, ptr %p
  %y = load float, ptr %q
  %z = fadd float %x, %y
  ret float %z
}""",
}
TBAA = """
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !4, i64 0}
!2 = !{!3, !3, i64 0}
!3 = !{!"bool", !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"Simple C/C++ TBAA"}
"""


@pytest.mark.parametrize("text", INTEGERS.values(), ids=INTEGERS)
def test_integers_in_memory_of_numbers_are_not_refused(text: str) -> None:
    f = Input(text + TBAA, "dup dup")
    assert [reason for _, reason in find_unsupported(f.activity)] == []
