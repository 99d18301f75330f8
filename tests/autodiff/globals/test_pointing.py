"""Pointers in globals that code outside of the derivative may have stored there."""

from __future__ import annotations

from enzyme_cc.analysis.activity.activity import ArgumentActivity
from enzyme_cc.autodiff.core.pointers import ForeignPointers, PointerRow
from enzyme_cc.autodiff.engine import explore
from enzyme_cc.autodiff.globals.pointing import foreign_pointers, size_of

from ..rounds import DOUBLE, POINTER, prepared, signature

#: f multiplies x by a number behind @rows, and keeps it in @total; @limit is read only
PROGRAM = f"""
@rows = global [3 x ptr] zeroinitializer
@total = internal global double 0.0
@limit = global ptr null

define double @f(double %x) {{
  %slot = getelementptr [3 x ptr], ptr @rows, i64 0, i64 1
  %row = load ptr, ptr %slot{POINTER}
  store double %x, ptr %row{DOUBLE}
  store double %x, ptr @total{DOUBLE}
  %p = load ptr, ptr @limit{POINTER}
  %limit = load double, ptr %p{DOUBLE}
  %r = fmul double %x, %limit
  ret double %r
}}
"""


def found() -> ForeignPointers:
    return foreign_pointers(explore(prepared(PROGRAM), [signature("@f", ArgumentActivity.OUT)]), ["@f"])


def test_a_request_resolves_all_pointers_of_an_active_global() -> None:
    assert found().resolved == {"@rows": [PointerRow(0, 3, 8)]}
    assert list(PointerRow(0, 3, 8).offsets) == [0, 8, 16]


def test_pointers_to_numbers_in_other_globals_are_foreign() -> None:
    assert list(found().inactive) == ["@limit"]


def test_arguments_may_lie_in_globals_that_are_numbers() -> None:
    assert found().numbers == ("@total",)


def test_the_size_of_a_global_is_that_of_its_type() -> None:
    assert size_of(prepared(PROGRAM), "@rows") == 24
