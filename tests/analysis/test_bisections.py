"""Loops that find a number by bisection, and loops that only look like it."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.bisections import bisections
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.module import Module

#: halves the bracket [low, high] by the sign of a number that depends on x
LOOP = """
define double @f(double %x, i64 %n) {{
entry:
  br label %loop
loop:
  %t = phi i64 [ 0, %entry ], [ %next, %loop ]
  %low = phi double [ 0.0, %entry ], [ %low2, %loop ]
  %high = phi double [ 4.0, %entry ], [ %high2, %loop ]
  %sum = fadd double %low, %high
  %width = fsub double %high, %low
  %middle = {middle}
  %square = fmul double %middle, %middle
  %above = fcmp ogt double %square, {decides}
  %low2 = select i1 %above, double %low, double %middle
  %high2 = select i1 %above, double %middle, double {high}
  %next = add i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %low
}}
"""


def found(middle: str = "fmul double %sum, 0.5", decides: str = "%x", high: str = "%high") -> list[str]:
    module = Module.parse(LOOP.format(middle=middle, decides=decides, high=high))
    function = module.body("@f")
    varied = {*function.arguments}
    return [i.name for i in bisections(ControlFlow(function), varied, set())]


_FUSED = "call double @llvm.fmuladd.f64(double 0.5, double %width, double %low)"


@pytest.mark.parametrize("middle", ["fmul double %sum, 0.5", "fdiv double %sum, 2.0", _FUSED])
def test_a_bracket_that_is_halved_by_the_sign_of_a_number_is_a_bisection(middle: str) -> None:
    assert found(middle) == ["above"]


def test_a_bracket_that_is_not_halved_is_none() -> None:
    assert not found("fmul double %sum, 0.25")


def test_a_bound_that_moves_elsewhere_is_none() -> None:
    assert not found("fmul double %low, 0.5")


def test_a_comparison_that_no_input_decides_is_none() -> None:
    assert not found(decides="2.0")


#: moves a middle to either side by a step
STEPS = """
declare double @llvm.fmuladd.f64(double, double, double)
define double @f(double %x, i64 %n) {{
entry:
  br label %loop
loop:
  %t = phi i64 [ 0, %entry ], [ %next, %loop ]
  %middle = phi double [ 2.0, %entry ], [ %middle2, %loop ]
  %step = phi double [ 1.0, %entry ], [ %step2, %loop ]
  %square = fmul double %middle, %middle
  %above = fcmp ogt double %square, %x
{moves}
  %step2 = {halved}
  %next = add i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %middle
}}
"""
_HALVED = "fmul double %step, 0.5"
_EITHER_SIDE = """
  %up = fadd double %middle, %step
  %down = fsub double %middle, %step
  %middle2 = select i1 %above, double %down, double %up
"""
_SIGN = """
  %sign = select i1 %above, double -1.0, double 1.0
  %middle2 = call double @llvm.fmuladd.f64(double %step, double %sign, double %middle)
"""
_SIGN_OF_ZERO = """
  %distance = fsub double %x, %square
  %is_zero = fcmp oeq double %distance, 0.0
  %side = select i1 %above, double -1.0, double 1.0
  %sign = select i1 %is_zero, double %distance, double %side
  %middle2 = call double @llvm.fmuladd.f64(double %step, double %sign, double %middle)
"""
_NEGATED = """
  %back = fneg double %step
  %by = select i1 %above, double %back, double %step
  %middle2 = fadd double %middle, %by
"""
_ONE_SIDE = "  %middle2 = fadd double %middle, %step"
_BY_X = "  %by = select i1 %above, double %x, double %step\n  %middle2 = fadd double %middle, %by"


def found_steps(moves: str, halved: str = _HALVED) -> list[str]:
    function = Module.parse(STEPS.format(moves=moves, halved=halved)).body("@f")
    return [i.name for i in bisections(ControlFlow(function), {*function.arguments}, set())]


@pytest.mark.parametrize("moves", [_EITHER_SIDE, _SIGN, _SIGN_OF_ZERO, _NEGATED])
def test_a_middle_that_moves_to_either_side_by_a_halved_step_is_a_bisection(moves: str) -> None:
    assert found_steps(moves) == ["above"]
    assert found_steps(moves, "fdiv double %step, 2.0") == ["above"]
    assert not found_steps(moves, "fmul double %step, 0.25")
    assert not found_steps(moves, "fmul double %x, 0.5")


def test_steps_to_one_side_or_by_an_input_are_none() -> None:
    assert not found_steps(_ONE_SIDE)
    assert not found_steps(_BY_X)
