"""Vector intrinsics of x86 become instructions of every machine."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.library_forms import simplify_library_calls

from .rewriting import becomes


def test_horizontal_sum() -> None:
    becomes(
        simplify_library_calls,
        """
        declare <2 x double> @llvm.x86.sse3.hadd.pd(<2 x double>, <2 x double>)
        define <2 x double> @f(<2 x double> %x, <2 x double> %y) {
          %sums = call <2 x double> @llvm.x86.sse3.hadd.pd(<2 x double> %x, <2 x double> %y)
          ret <2 x double> %sums
        }
        """,
        """
          %1 = shufflevector <2 x double> %x, <2 x double> %y, <2 x i32> <i32 0, i32 2>
          %2 = shufflevector <2 x double> %x, <2 x double> %y, <2 x i32> <i32 1, i32 3>
          %3 = fadd <2 x double> %1, %2
          ret <2 x double> %3
        """,
    )
