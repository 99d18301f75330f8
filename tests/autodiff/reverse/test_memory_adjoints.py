"""Adjoints of loads, stores, copies and fills: shadow memory takes what memory gave."""

from __future__ import annotations

from enzyme_cc.analysis.activity.activity import ResultActivity
from tests.autodiff.sweeps import derivative

NONE = ResultActivity.NONE
LOAD = """
define double @f(ptr %p) {
  %x = load double, ptr %p
  ret double %x
}
"""
STORE = """
define void @f(double %x, ptr %p) {
  store double %x, ptr %p
  ret void
}
"""


def test_a_load_adds_its_adjoint_to_shadow_memory() -> None:
    lines = derivative(LOAD, "dup")
    place = lines.index("%6 = load double, ptr %1")
    assert lines[place + 1 : place + 3] == ["%7 = fadd double %6, %2", "store double %7, ptr %1"]


def test_a_store_takes_the_adjoint_and_leaves_zero() -> None:
    lines = derivative(STORE, "out dup", result=NONE)
    assert lines[lines.index("%5 = load double, ptr %2") + 1] == "store double 0x0000000000000000, ptr %2"
    assert "%7 = fadd double %6, %5" in lines


def test_a_store_of_a_constant_leaves_zero_and_adds_nothing() -> None:
    lines = derivative(STORE, "const dup", result=NONE)
    assert "store double 0x0000000000000000, ptr %2" in lines
    assert not any("fadd" in line for line in lines)


def test_memory_without_a_shadow_has_no_adjoint() -> None:
    assert not any("fadd" in line for line in derivative(LOAD, "const"))


#: copies or fills two numbers of local memory
BULK = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define double @f(double %x) {{
  %from = alloca [2 x double]
  %to = alloca [2 x double]
  store double %x, ptr %from
  store double %x, ptr %to
  {}
  %y = load double, ptr %to
  ret double %y
}}
"""


def calls(bulk: str, callee: str) -> int:
    return sum(callee in line for line in derivative(BULK.format(bulk), "out"))


COPY = "call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)"
FILL = "call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 16, i1 false)"


def test_a_copy_adds_the_adjoints_of_its_target_to_its_source() -> None:
    assert calls(COPY, "@__ez_copy_adjoint_f64(") == 1
    assert calls(FILL, "@__ez_copy_adjoint_f64(") == 0


def test_a_fill_clears_the_shadow_in_both_sweeps() -> None:
    only_shadows_begin_as_zero = calls(COPY, "@llvm.memset.p0.i64(")
    assert (
        calls(FILL, "@llvm.memset.p0.i64(") == only_shadows_begin_as_zero + 3
    )  # the fill itself, and two of its shadow
