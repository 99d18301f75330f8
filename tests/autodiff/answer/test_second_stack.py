"""Derivatives of recursive functions are called on the second stack; others are called plainly."""

from __future__ import annotations

from enzyme_cc.autodiff.answer.second_stack import SWITCH

from .answered import SQUARE, answered, body

RECURSIVE = """
define internal double @f(double %x) noinline {
entry:
  %end = fcmp ogt double %x, 1.0
  br i1 %end, label %done, label %again
again:
  %y = fmul double %x, 2.0
  %r = call double @f(double %y)
  %s = fmul double %r, %x
  br label %done
done:
  %result = phi double [ %x, %entry ], [ %s, %again ]
  ret double %result
}
"""
REQUEST = """
declare double @__enzyme_autodiff(...)
define double @g(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
"""


def test_a_recursive_derivative_is_called_on_the_second_stack() -> None:
    text = answered(RECURSIVE + REQUEST)
    assert f"call void {SWITCH}(" in body(text)
    assert text.count(f"define internal void {SWITCH}(") == 1


def test_other_derivatives_are_called_plainly() -> None:
    assert SWITCH not in answered(SQUARE + REQUEST)


def test_a_derivative_that_is_differentiated_again_is_called_plainly() -> None:
    outer = """
    define double @h(double %x) {
      %d = call double (...) @__enzyme_autodiff(ptr @g, double %x)
      ret double %d
    }
    """
    text = answered(RECURSIVE + REQUEST + outer)
    assert SWITCH not in body(text)
    assert f"call void {SWITCH}(" in body(text, "@h")
