"""Sums with large constants: a fence keeps LLVM from taking them apart."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.normalise.fences import fence_large_sums
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function

from .rewriting import becomes, is_unchanged


def fenced(_: Module, function: Function) -> None:
    fence_large_sums(function)


def test_difference_from_a_large_constant() -> None:
    becomes(
        fenced,
        """
        declare double @llvm.arithmetic.fence.f64(double)
        define double @f(double %x) {
          %days = fadd double %x, -2451545.0
          %square = fmul double %days, %days
          ret double %square
        }
        """,
        """
          %days = fadd double %x, -2451545.0
          %1 = call double @llvm.arithmetic.fence.f64(double %days)
          %square = fmul double %1, %1
          ret double %square
        """,
    )


def test_difference_from_an_argument() -> None:
    becomes(
        fenced,
        """
        declare double @llvm.arithmetic.fence.f64(double)
        define double @f(ptr %p, double %epoch) {
          %t = load double, ptr %p
          %days = fsub double %t, %epoch
          ret double %days
        }
        """,
        """
          %t = load double, ptr %p
          %days = fsub double %t, %epoch
          %1 = call double @llvm.arithmetic.fence.f64(double %days)
          ret double %1
        """,
    )


@pytest.mark.parametrize("total", [
    "%y = fadd double %x, 1.0e3",
    "%y = fadd reassoc double %x, 1.0e6",
    "%y = fmul double %x, 1.0e6",
])  # fmt: skip
def test_others(total: str) -> None:
    is_unchanged(fenced, f"define double @f(double %x) {{\n{total}\nret double %y\n}}")


def test_a_distance_of_which_the_magnitude_is_compared() -> None:
    is_unchanged(
        fenced,
        """
        declare double @llvm.fabs.f64(double)
        define i1 @f(ptr %p, double %x) {
          %key = load double, ptr %p
          %y = fsub double %x, %key
          %distance = call double @llvm.fabs.f64(double %y)
          %is_other = fcmp ogt double %distance, 1.0
          ret i1 %is_other
        }
        """,
    )


def test_a_sum_that_is_only_compared() -> None:
    is_unchanged(
        fenced,
        """
        define i1 @f(double %x) {
          %y = fadd double %x, 1.0e6
          %is_less = fcmp olt double %y, 0.0
          ret i1 %is_less
        }
        """,
    )
