"""Vectors of integers that hold numbers are rewritten as vectors of these numbers."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.vectors.vector_lanes import follow_lanes
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function

from ..rewriting import becomes, is_unchanged


def follow(_: Module, function: Function) -> None:
    follow_lanes(function)


def test_shuffle_of_integers_that_are_halves_of_doubles() -> None:
    becomes(
        follow,
        """
        define double @f(<2 x double> %x) {
          %bits = bitcast <2 x double> %x to <4 x i32>
          %swapped = shufflevector <4 x i32> %bits, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
          %numbers = bitcast <4 x i32> %swapped to <2 x double>
          %low = extractelement <2 x double> %numbers, i64 0
          ret double %low
        }
        """,
        """
          %1 = shufflevector <2 x double> %x, <2 x double> zeroinitializer, <2 x i32> <i32 1, i32 0>
          %low = extractelement <2 x double> %1, i64 0
          ret double %low
        """,
    )


def test_a_lane_that_is_taken_out_of_a_wide_integer() -> None:
    becomes(
        follow,
        """
        define double @f(<2 x double> %x) {
          %bits = bitcast <2 x double> %x to i128
          %shifted = lshr i128 %bits, 64
          %high = trunc i128 %shifted to i64
          %number = bitcast i64 %high to double
          ret double %number
        }
        """,
        """
          %bits = bitcast <2 x double> %x to i128
          %shifted = lshr i128 %bits, 64
          %1 = extractelement <2 x double> %x, i64 1
          %2 = bitcast double %1 to i64
          %number = bitcast i64 %2 to double
          ret double %number
        """,
    )


def test_parts_of_a_wide_integer_are_loaded_apart() -> None:
    becomes(
        follow,
        """
        define void @f(ptr %p, ptr %q) {
          %x = load i128, ptr %p, align 16
          %shifted = lshr i128 %x, 64
          %high = trunc i128 %shifted to i64
          store i64 %high, ptr %q, align 8
          ret void
        }
        """,
        """
          %1 = getelementptr i8, ptr %p, i64 8
          %2 = load i64, ptr %1, align 1
          %x = load i128, ptr %p, align 16
          store i64 %2, ptr %q, align 8
          ret void
        """,
    )


def test_a_shuffle_that_cuts_a_number_in_two() -> None:
    is_unchanged(
        follow,
        """
        define <2 x double> @f(<2 x double> %x) {
          %bits = bitcast <2 x double> %x to <4 x i32>
          %mixed = shufflevector <4 x i32> %bits, <4 x i32> poison, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
          %numbers = bitcast <4 x i32> %mixed to <2 x double>
          ret <2 x double> %numbers
        }
        """,
    )


def test_a_vector_of_integers_from_one_of_two_branches() -> None:
    becomes(
        follow,
        """
        define double @f(<2 x double> %x, i1 %c) {
        entry:
          %bits = bitcast <2 x double> %x to <2 x i64>
          br i1 %c, label %then, label %end
        then:
          %y = fmul <2 x double> %x, %x
          %others = bitcast <2 x double> %y to <2 x i64>
          br label %end
        end:
          %chosen = phi <2 x i64> [ %bits, %entry ], [ %others, %then ]
          %numbers = bitcast <2 x i64> %chosen to <2 x double>
          %low = extractelement <2 x double> %numbers, i64 0
          ret double %low
        }
        """,
        """
        entry:
          br i1 %c, label %then, label %end
        then:
          %y = fmul <2 x double> %x, %x
          br label %end
        end:
          %0 = phi <2 x double> [ %x, %entry ], [ %y, %then ]
          %low = extractelement <2 x double> %0, i64 0
          ret double %low
        """,
    )


def test_zeros_are_numbers_of_any_format() -> None:
    becomes(
        follow,
        """
        define half @f(i1 %is_kept, <4 x half> %x) {
          %bits = bitcast <4 x half> %x to <4 x i16>
          %chosen = select i1 %is_kept, <4 x i16> %bits, <4 x i16> zeroinitializer
          %numbers = bitcast <4 x i16> %chosen to <4 x half>
          %low = extractelement <4 x half> %numbers, i64 0
          ret half %low
        }
        """,
        """
          %1 = select i1 %is_kept, <4 x half> %x, <4 x half> zeroinitializer
          %low = extractelement <4 x half> %1, i64 0
          ret half %low
        """,
    )
