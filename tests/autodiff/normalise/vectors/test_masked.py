"""Masked accesses become one access for each lane; where the mask is false, that goes to a place on the stack."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.library_forms import simplify_library_calls

from ..rewriting import becomes


def test_store() -> None:
    becomes(
        simplify_library_calls,
        """
        declare void @llvm.masked.store.v2f64.p0(<2 x double>, ptr, i32, <2 x i1>)
        define void @f(ptr %p, <2 x double> %x, <2 x i1> %mask) {
          call void @llvm.masked.store.v2f64.p0(<2 x double> %x, ptr %p, i32 8, <2 x i1> %mask)
          ret void
        }
        """,
        """
          %1 = alloca double, align 16
          %2 = extractelement <2 x i1> %mask, i64 0
          %3 = select i1 %2, ptr %p, ptr %1
          %4 = extractelement <2 x double> %x, i64 0
          store double %4, ptr %3, align 1
          %5 = extractelement <2 x i1> %mask, i64 1
          %6 = getelementptr i8, ptr %p, i64 8
          %7 = select i1 %5, ptr %6, ptr %1
          %8 = extractelement <2 x double> %x, i64 1
          store double %8, ptr %7, align 1
          ret void
        """,
    )


def test_gather() -> None:
    becomes(
        simplify_library_calls,
        """
        declare <1 x double> @llvm.masked.gather.v1f64.v1p0(<1 x ptr>, i32, <1 x i1>, <1 x double>)
        define <1 x double> @f(<1 x ptr> %p, <1 x i1> %m, <1 x double> %else) {
          %x = call <1 x double> @llvm.masked.gather.v1f64.v1p0(<1 x ptr> %p, i32 8, <1 x i1> %m, <1 x double> %else)
          ret <1 x double> %x
        }
        """,
        """
          %1 = alloca double, align 16
          %2 = extractelement <1 x i1> %m, i64 0
          %3 = extractelement <1 x ptr> %p, i64 0
          %4 = select i1 %2, ptr %3, ptr %1
          %5 = load double, ptr %4, align 1
          %6 = extractelement <1 x double> %else, i64 0
          %7 = select i1 %2, double %5, double %6
          %8 = insertelement <1 x double> poison, double %7, i64 0
          ret <1 x double> %8
        """,
    )
