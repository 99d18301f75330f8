"""Which captures of a region nobody reads but the result of a function whose result nobody asks for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enzyme_cc.autodiff.analyses.function_analyses import FunctionAnalyses
from tests.autodiff.sweeps import analysed

PROGRAM = """
declare i64 @__ez_team_enter_to_add(ptr, ptr, i64)
declare i64 @__ez_team_leave_added(ptr, ptr, i64)
declare double @sin(double)
@lock = global i64 0

define internal void @region(ptr %t, ptr %z, ptr %x, ptr %sum) {{
  %v = load double, ptr %x
  %part = fmul double %v, %v
  %b = call i64 @__ez_team_enter_to_add(ptr null, ptr @lock, i64 0)
  %old = atomicrmw fadd ptr %sum, double %part monotonic
  {region}
  %e = call i64 @__ez_team_leave_added(ptr null, ptr @lock, i64 0)
  ret void
}}

define double @f(ptr %x, ptr %other) {{
  %sum = alloca double
  store double 0.0, ptr %sum
  call void @region(ptr null, ptr null, ptr %x, ptr %sum) "ez-region"
  %s = load double, ptr %sum
  {use}
  ret double %y
}}
"""
LINEAR = "%y = fmul double %s, 0.5"


def of(use: str, region: str = "", *, wants_result: bool = False) -> FunctionAnalyses:
    f = analysed(PROGRAM.format(use=use, region=region), "dup dup")
    signature = replace(f.signature, wants_result=wants_result)
    return FunctionAnalyses(f.round, signature, False, f.recursion)


def unread(f: FunctionAnalyses) -> tuple[int, ...]:
    (call,) = (i for i in f.function.instructions() if i.callee_name == "@region")
    return f.call_signature(call).unneeded


def test_a_sum_that_ends_in_the_result_is_unread() -> None:
    assert unread(of(LINEAR)) == (3,)
    assert unread(of(LINEAR, wants_result=True)) == ()


@pytest.mark.parametrize(
    "use",
    [
        "%y = fmul double %s, %s",
        "%y = call double @sin(double %s)",
        "store double %s, ptr %other\n  %y = fadd double %s, 1.0",
        "%z = fcmp ogt double %s, 1.0\n  %y = select i1 %z, double 1.0, double 2.0",
        "store ptr %sum, ptr %other\n  %y = fadd double %s, 1.0",
        "%n = load i64, ptr %sum\n  %y = sitofp i64 %n to double",
    ],
    ids=["square", "sine", "stored", "compared", "escapes", "integer"],
)
def test_a_sum_that_more_depends_on_is_read(use: str) -> None:
    assert unread(of(use)) == ()


def test_a_sum_that_the_region_reads_is_read() -> None:
    assert unread(of(LINEAR, "%again = load double, ptr %sum\n  store double %again, ptr %x")) == ()


@pytest.mark.parametrize(("region", "count"), [("", 2), ("store double 1.0, ptr %x", 0)], ids=["alone", "more"])
def test_sections_of_unread_sums_are_empty(region: str, count: int) -> None:
    f = of(LINEAR, region)
    (call,) = (i for i in f.function.instructions() if i.callee_name == "@region")
    assert len(FunctionAnalyses(f.round, f.call_signature(call), True, f.recursion).empty_sections) == count
