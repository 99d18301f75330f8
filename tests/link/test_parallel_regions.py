"""Which parallel regions run on teams of threads."""

from __future__ import annotations

import pytest

from enzyme_cc.link.merged_module.threads.parallel_regions import decided, with_names_of_teams

TEXT = """
@requested = global ptr @f
@counter = {} global i32 0
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
declare void @__kmpc_barrier(ptr, i32)
declare void @__kmpc_omp_task(ptr, i32, ptr)
define void @f(ptr %x) {{
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @region, ptr %x)
  ret void
}}
define internal void @region(ptr %t, ptr %b, ptr %x) {{
  call void @helper(ptr %x)
  call void @__kmpc_barrier(ptr null, i32 0)
  ret void
}}
define internal void @helper(ptr %x) {{
  {}
  ret void
}}
"""


def text(line: str = "", storage: str = "") -> str:
    return TEXT.format(storage, line)


def test_runs_on_a_team() -> None:
    assert decided(text(), False).on_teams
    assert not decided(text(), True).on_teams
    assert "call void @__team__kmpc_barrier(" in with_names_of_teams(text())


@pytest.mark.parametrize(
    "line, why",
    [
        ("call void @__kmpc_omp_task(ptr %x, i32 0, ptr %x)", "there is a call of __kmpc_omp_task in helper"),
        ("%o = cmpxchg ptr %x, i64 0, i64 1 seq_cst seq_cst", "there is an atomic cmpxchg in helper"),
        ("%o = call ptr @__cxa_begin_catch(ptr %x)", "an exception is caught in helper"),
        ("store atomic i32 1, ptr %x release, align 4", "there is an atomic store in helper"),
        ("%o = atomicrmw xchg ptr %x, i64 1 monotonic", "there is an atomic xchg in helper"),
    ],
)
def test_what_keeps_regions_in_teams_of_one(line: str, why: str) -> None:
    assert decided(text(line), False).why_not == why


def test_additions_in_any_order() -> None:
    assert decided(text("%o = atomicrmw fadd ptr %x, double 1.0 monotonic"), False).on_teams


def test_variables_of_each_thread() -> None:
    assert not decided(text("store i32 1, ptr @counter", "thread_local"), False).on_teams
