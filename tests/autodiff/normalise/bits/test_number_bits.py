"""Numbers that are computed from the bits of other numbers."""

from __future__ import annotations

from enzyme_cc.analysis.type_analysis.declared.tbaa import Tbaa
from enzyme_cc.autodiff.normalise.bits.number_bits import follow_bits
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function

from ..rewriting import becomes, is_unchanged


def follow(module: Module, function: Function) -> None:
    follow_bits(Tbaa(module), function)


def test_one_added_to_the_exponent_doubles_a_number() -> None:
    """The derivative is ulp(2x) / ulp(x), where ulp(x) has the exponent and the sign of x."""
    becomes(
        follow,
        """
        declare double @__ez_constant.f64(double)
        declare double @__ez_sloped.f64(double, double, double)
        define double @f(double %x) {
          %bits = bitcast double %x to i64
          %scaled = add i64 %bits, 4503599627370496
          %twice = bitcast i64 %scaled to double
          ret double %twice
        }
        """,
        """
          %1 = call double @__ez_constant.f64(double %x)
          %2 = bitcast double %1 to i64
          %3 = and i64 %2, 9218868437227405312
          %4 = icmp ult i64 %3, 4503599627370496
          %5 = select i1 %4, i64 4503599627370496, i64 %3
          %6 = and i64 %2, 9223372036854775808
          %7 = or i64 %5, %6
          %8 = bitcast i64 %7 to double
          %9 = fdiv double 0x3FF0000000000000, %8
          %10 = add i64 %2, 4503599627370496
          %11 = bitcast i64 %10 to double
          %12 = and i64 %10, 9218868437227405312
          %13 = icmp ult i64 %12, 4503599627370496
          %14 = select i1 %13, i64 4503599627370496, i64 %12
          %15 = and i64 %10, 9223372036854775808
          %16 = or i64 %14, %15
          %17 = bitcast i64 %16 to double
          %18 = fmul double %9, %17
          %19 = call double @__ez_sloped.f64(double %11, double %x, double %18)
          ret double %19
        """,
    )


def test_bits_that_are_not_made_into_a_number_again() -> None:
    is_unchanged(
        follow,
        """
        define i64 @f(double %x) {
          %bits = bitcast double %x to i64
          %scaled = add i64 %bits, 4503599627370496
          ret i64 %scaled
        }
        """,
    )
