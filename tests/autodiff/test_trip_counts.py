"""Loops that are counted before they run: every start, bound, step, width and comparison, also where numbers wrap."""

from __future__ import annotations

import math
import operator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from .jit import Compiled

_SIGNED = {"slt": operator.lt, "sle": operator.le, "sgt": operator.gt, "sge": operator.ge}
_UNSIGNED = {"ult": operator.lt, "ule": operator.le, "ugt": operator.gt, "uge": operator.ge, "ne": operator.ne}

#: s = sin(s + i) in each iteration: the derivative needs every iteration's value
_LOOP = """
declare double @__enzyme_autodiff(...)
declare double @llvm.sin.f64(double)

define double @f(double %x, {type} %start, {type} %bound) noinline {{
entry:
  br label %loop
loop:
  %i = phi {type} [ %start, %entry ], [ %next, %more ]
  %s = phi double [ %x, %entry ], [ %new, %more ]
  {before}
more:
  %next = add {type} %i, {step}
  %number = sitofp {type} %i to double
  %sum = fadd double %s, %number
  %new = call double @llvm.sin.f64(double %sum)
  {after}
out:
  %result = phi double {result}
  ret double %result
}}

define double @gradient(double %x, i64 %a, i64 %b) {{
  %start = {shorten} i64 %a to {type}
  %bound = {shorten} i64 %b to {type}
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x, {type} %start, {type} %bound)
  ret double %d
}}
"""


def loop(type_: str, predicate: str, step: int, tests_next: bool) -> str:
    if tests_next:
        before = "br label %more"
        after = f"%go = icmp {predicate} {type_} %next, %bound\n  br i1 %go, label %loop, label %out"
        result = "[ %new, %more ]"
    else:
        before = f"%go = icmp {predicate} {type_} %i, %bound\n  br i1 %go, label %more, label %out"
        after = "br label %loop"
        result = "[ %s, %loop ]"
    text = _LOOP.format(type=type_, step=step, before=before, after=after, result=result, shorten="trunc")
    return text.replace("trunc i64 %a to i64", "add i64 0, %a").replace("trunc i64 %b to i64", "add i64 0, %b")


def expected(bits: int, predicate: str, step: int, tests_next: bool, start: int, bound: int, x: float) -> float | None:
    """The derivative of the loop run here; None where it runs too often."""
    mask = (1 << bits) - 1

    def signed(v: int) -> int:
        return v - (mask + 1) if v >> (bits - 1) else v

    def goes_on(v: int) -> bool:
        if predicate in _SIGNED:
            return _SIGNED[predicate](signed(v), signed(bound & mask))
        return _UNSIGNED[predicate](v, bound & mask)

    i, s, d = start & mask, x, 1.0
    for _ in range(400):
        if not tests_next and not goes_on(i):
            return d
        d *= math.cos(s + signed(i))
        s = math.sin(s + signed(i))
        i = (i + step) & mask
        if tests_next and not goes_on(i):
            return d
    return None


@settings(max_examples=30, deadline=None)
@given(
    bits=st.sampled_from([8, 16, 32, 64]),
    predicate=st.sampled_from([*_SIGNED, *_UNSIGNED]),
    step=st.sampled_from([1, -1, 2, -2, 3, -5, 7, 41]),
    tests_next=st.booleans(),
    points=st.lists(st.tuples(st.integers(-130, 260), st.integers(-130, 260)), min_size=4, max_size=12),
)
def test_gradient_of_a_counted_loop(
    bits: int, predicate: str, step: int, tests_next: bool, points: list[tuple[int, int]]
) -> None:
    runs = [(a, b, expected(bits, predicate, step, tests_next, a, b, 0.3)) for a, b in points]
    runs = [run for run in runs if run[2] is not None]
    assume(runs)
    compiled = Compiled(loop(f"i{bits}", predicate, step, tests_next))
    for start, bound, want in runs:
        assert compiled.call("gradient", 0.3, start, bound) == pytest.approx(want, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("start", [3, 250])
def test_steps_that_wrap_past_the_bound(start: int) -> None:
    """3, 44, … 249, 34, …: an unsigned char that jumps over 250 many times."""
    compiled = Compiled(loop("i8", "ult", 41, False))
    want = expected(8, "ult", 41, False, start, 250, 0.3)
    assert want is not None
    assert compiled.call("gradient", 0.3, start, 250) == pytest.approx(want, rel=1e-9)


def test_inequality_with_a_step_that_goes_round() -> None:
    """0, 3, … 255, 2, … 254, 1: an unsigned char meets 1 in the third round."""
    compiled = Compiled(loop("i8", "ne", 3, False))
    want = expected(8, "ne", 3, False, 0, 1, 0.3)
    assert want is not None
    assert compiled.call("gradient", 0.3, 0, 1) == pytest.approx(want, rel=1e-9)
