"""Loops whose reverse runs in batches: one buffer for what each of their loads adds."""

from __future__ import annotations

import pytest

from tests.autodiff.sweeps import derivative

LOOP = """
define double @f(ptr noalias %to, ptr {alias} %from, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %left = getelementptr double, ptr %from, i64 %i
  %right = getelementptr i8, ptr %left, i64 8
  %a = load double, ptr %left
  %b = load double, ptr %right
  %p = fmul double %a, %b
  {more}
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %out, label %loop
out:
  ret double %more
}}
"""
SUM = "%more = fadd double %sum, %p"
WRITE = """%place = getelementptr double, ptr {to}, i64 %i
  store double %p, ptr {place}
  %more = fadd double %sum, 1.0"""


def buffers(more: str, alias: str = "noalias") -> int:
    lines = derivative(LOOP.format(more=more, alias=alias), "dup dup const")
    return sum("alloca [64 x double]" in line for line in lines)


@pytest.mark.parametrize(
    "more",
    [
        SUM,
        "%more = fsub double %sum, %p",
        "%once = fadd double %p, %sum\n  %more = fadd double %once, %a",
        WRITE.format(to="%to", place="%place"),
    ],
)
def test_what_iterations_add_to_neighbours_waits_in_buffers(more: str) -> None:
    assert buffers(more) == 2


@pytest.mark.parametrize(
    ("more", "alias"),
    [
        ("%more = fsub double %p, %sum", "noalias"),
        ("%more = fmul double %sum, %p", "noalias"),
        ("%q = fmul double %sum, %a\n  %more = fadd double %sum, %q", "noalias"),
        (WRITE.format(to="%from", place="%place"), "noalias"),
        (WRITE.format(to="%to", place="%to"), "noalias"),
    ],
)
def test_loops_in_which_the_order_matters_have_no_buffers(more: str, alias: str) -> None:
    assert buffers(more, alias) == 0
