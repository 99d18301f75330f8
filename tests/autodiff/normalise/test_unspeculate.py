"""Both sides of a select have been computed: what only one side needs goes back into a branch."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.unspeculate import unspeculate

from .rewriting import becomes, is_unchanged


def test_each_side_is_computed_where_it_is_chosen() -> None:
    becomes(
        lambda _, function: unspeculate(function),
        """
        define double @f(double %x, double %y) {
          %positive = fcmp ogt double %x, 0.0
          %quotient = fdiv double %y, %x
          %scaled = fmul double %quotient, 2.0
          %result = select i1 %positive, double %scaled, double %y
          ret double %result
        }
        """,
        """
          %positive = fcmp ogt double %x, 0.0
          br i1 %positive, label %1, label %2
        1:
          %quotient = fdiv double %y, %x
          %scaled = fmul double %quotient, 2.0
          br label %3
        2:
          br label %3
        3:
          %4 = phi double [ %scaled, %1 ], [ %y, %2 ]
          ret double %4
        """,
    )


def test_what_is_used_elsewhere_is_computed_before() -> None:
    is_unchanged(
        lambda _, function: unspeculate(function),
        """
        define double @f(double %x, double %y) {
          %positive = fcmp ogt double %x, 0.0
          %quotient = fdiv double %y, %x
          %result = select i1 %positive, double %quotient, double %y
          %sum = fadd double %result, %quotient
          ret double %sum
        }
        """,
    )


def test_loads_are_not_moved() -> None:
    is_unchanged(
        lambda _, function: unspeculate(function),
        """
        define double @f(i1 %first, ptr %p, double %y) {
          %x = load double, ptr %p, align 8
          %result = select i1 %first, double %x, double %y
          ret double %result
        }
        """,
    )
