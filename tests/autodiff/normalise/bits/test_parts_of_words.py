"""Stores of words that are made of numbers."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.bits.parts_of_words import store_as_made
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function

from ..rewriting import becomes


def store(module: Module, function: Function) -> None:
    store_as_made(function)


def test_floats_that_are_packed_are_stored_one_by_one() -> None:
    becomes(
        store,
        """
        define void @f(float %x, float %y, ptr %p) {
          %a = bitcast float %x to i32
          %b = bitcast float %y to i32
          %low = zext i32 %a to i64
          %wide = zext i32 %b to i64
          %high = shl i64 %wide, 32
          %word = or disjoint i64 %high, %low
          store i64 %word, ptr %p, align 8
          ret void
        }
        """,
        """
          %a = bitcast float %x to i32
          %b = bitcast float %y to i32
          %low = zext i32 %a to i64
          %wide = zext i32 %b to i64
          %high = shl i64 %wide, 32
          %word = or disjoint i64 %high, %low
          store float %x, ptr %p, align 8
          %1 = getelementptr inbounds i8, ptr %p, i64 4
          store float %y, ptr %1, align 1
          ret void
        """,
    )


def test_the_store_of_a_number_has_no_type_then() -> None:
    becomes(
        store,
        """
        define void @f(double %x, ptr %p) {
          store double %x, ptr %p, align 8, !tbaa !0
          ret void
        }
        !0 = !{!1, !1, i64 0}
        !1 = !{!"double", !2, i64 0}
        !2 = !{!"types"}
        """,
        """
          store double %x, ptr %p, align 8
          ret void
        """,
    )
