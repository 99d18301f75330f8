"""Integers that something may take for a pointer, and integers that are only compared, computed with, or an index."""

from __future__ import annotations

import pytest

from .inputs import Input

TEXT = """
declare ptr @malloc(i64)
declare i64 @llvm.smin.i64(i64, i64)
declare void @unknown(i64)

define void @index(i64 %k, ptr %p) {{
  %q = getelementptr double, ptr %p, i64 %k
  store double 0.0, ptr %q
  ret void
}}
define void @keep(i64 %word, ptr %p) {{
  store i64 %word, ptr %p
  ret void
}}
define i64 @f(i64 %n, ptr %p, ptr %g, i1 %c) {{
entry:
  {0}
  ret i64 0
}}
"""
INDICES = (
    "%m = call i64 @llvm.smin.i64(i64 %n, i64 8)\n %q = getelementptr i8, ptr %p, i64 %m\n store i8 0, ptr %q",
    "%m = mul i64 %n, 8\n %q = call ptr @malloc(i64 %m)",
    "%m = add i64 %n, 1\n call void @index(i64 %m, ptr %p)",
    "br label %loop\nloop:\n %k = phi i64 [ %n, %entry ], [ %next, %loop ]\n %next = add i64 %k, -1\n"
    " %end = icmp eq i64 %next, 0\n br i1 %end, label %last, label %loop\nlast:",
)
WORDS = (
    "store i64 %n, ptr %p",
    "%m = and i64 %n, -8\n %q = inttoptr i64 %m to ptr\n store double 0.0, ptr %q",
    "%m = or i64 %n, 1\n call void @keep(i64 %m, ptr %p)",
    "%m = select i1 %c, i64 %n, i64 0\n ret i64 %m\nother:",
    "call void @unknown(i64 %n)",
    "call void %g(i64 %n)",
    "%x = sitofp i64 %n to double\n store double %x, ptr %p",
)


def may_be_pointer(code: str) -> bool:
    f = Input(TEXT.format(code), "dup dup const const")
    return f.carriers.uses.may_be_pointer(f.value("n"))


@pytest.mark.parametrize("code", INDICES)
def test_an_integer_that_is_only_computed_with_is_no_pointer(code: str) -> None:
    assert not may_be_pointer(code)


@pytest.mark.parametrize("code", WORDS)
def test_an_integer_that_leaves_registers_may_be_a_pointer(code: str) -> None:
    assert may_be_pointer(code)
