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


@pytest.mark.parametrize("middle", ["fmul double %sum, 0.5", "fdiv double %sum, 2.0"])
def test_a_bracket_that_is_halved_by_the_sign_of_a_number_is_a_bisection(middle: str) -> None:
    assert found(middle) == ["above"]


def test_a_bracket_that_is_not_halved_is_none() -> None:
    assert not found("fmul double %sum, 0.25")


def test_a_bound_that_moves_elsewhere_is_none() -> None:
    assert not found("fmul double %low, 0.5")


def test_a_comparison_that_no_input_decides_is_none() -> None:
    assert not found(decides="2.0")
