"""Undefined numbers get the value one, so that an adjoint of zero times the number is zero."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.undefined import define_numbers

from .rewriting import becomes


def test_operand() -> None:
    becomes(
        lambda _, function: define_numbers(function),
        """
        define double @f(double %x) {
          %y = fmul double %x, undef
          ret double %y
        }
        """,
        """
          %y = fmul double %x, 0x3FF0000000000000
          ret double %y
        """,
    )


def test_lane_that_a_shuffle_leaves_open() -> None:
    becomes(
        lambda _, function: define_numbers(function),
        """
        define <2 x double> @f(<2 x double> %x) {
          %y = shufflevector <2 x double> %x, <2 x double> %x, <2 x i32> <i32 1, i32 poison>
          ret <2 x double> %y
        }
        """,
        """
          %1 = shufflevector <2 x double> %x, <2 x double> %x, <2 x i32> <i32 1, i32 0>
          %2 = shufflevector <2 x double> %1, <2 x double> splat (double 0x3FF0000000000000), <2 x i32> <i32 0, i32 3>
          ret <2 x double> %2
        """,
    )
