"""A sum with a large constant rounds the other summand: what is rounded has derivative zero."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.bits.rounding import step_where_sums_round

from ..rewriting import becomes, is_unchanged


def test_nearest_integer_by_a_large_constant() -> None:
    """0x4338000000000000 is 1.5 * 2^52: the last digit of a sum with it is worth one."""
    becomes(
        step_where_sums_round,
        """
        declare double @__ez_constant.f64(double)
        declare double @llvm.arithmetic.fence.f64(double)
        define double @f(double %x) {
          %shifted = fadd double %x, 0x4338000000000000
          %rounded = fsub double %shifted, 0x4338000000000000
          %rest = fsub double %x, %rounded
          ret double %rest
        }
        """,
        """
          %1 = call double @__ez_constant.f64(double %x)
          %shifted = fadd double %1, 0x4338000000000000
          %rounded = fsub double %shifted, 0x4338000000000000
          %2 = call double @llvm.arithmetic.fence.f64(double %rounded)
          %rest = fsub double %x, %2
          ret double %rest
        """,
    )


def test_a_constant_that_does_not_round() -> None:
    is_unchanged(
        step_where_sums_round,
        """
        define double @f(double %x) {
          %shifted = fadd double %x, 1.0e3
          %same = fsub double %shifted, 1.0e3
          ret double %same
        }
        """,
    )
