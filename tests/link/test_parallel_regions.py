"""Which parallel regions run on teams of threads."""

from __future__ import annotations

import pytest

from enzyme_cc.link.merged_module.threads.parallel_regions import decided, with_names_of_teams

TEXT = """
@requested = global ptr @f
@counter = {} global i32 0
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
declare void @__kmpc_barrier(ptr, i32)
declare void @__kmpc_taskloop(ptr, i32, ptr)
declare ptr @__kmpc_omp_task_alloc(ptr, i32, i32, i64, i64, ptr)
declare i32 @__kmpc_omp_task(ptr, i32, ptr)
declare void @__kmpc_critical(ptr, i32, ptr)
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
        ("call void @__kmpc_taskloop(ptr %x, i32 0, ptr %x)", "there is a call of __kmpc_taskloop in helper"),
        ("%o = cmpxchg ptr %x, i64 0, i64 1 seq_cst seq_cst", "there is an atomic cmpxchg in helper"),
        ("%o = call ptr @__cxa_begin_catch(ptr %x)", "an exception is caught in helper"),
        ("store atomic i32 1, ptr %x release, align 4", "there is an atomic store in helper"),
        ("%o = atomicrmw xchg ptr %x, i64 1 monotonic", "there is an atomic xchg in helper"),
    ],
)
def test_what_keeps_regions_in_teams_of_one(line: str, why: str) -> None:
    assert decided(text(line), False).why_not == why


TASK = """%t = call ptr @__kmpc_omp_task_alloc(ptr %x, i32 0, i32 {}, i64 40, i64 0, ptr @helper)
  %made = call i32 @__kmpc_omp_task(ptr %x, i32 0, ptr %t)"""


def test_tasks() -> None:
    assert decided(text(TASK.format(1)), False).on_teams
    untied, critical = text(TASK.format(0)), "call void @__kmpc_critical(ptr %x, i32 0, ptr %x)"
    assert decided(untied, False).why_not.startswith("a task is not tied")
    with_section = text(f"{TASK.format(1)}\n  {critical}")
    assert decided(with_section, False).why_not == "there are tasks and a call of __kmpc_critical in region"


def test_additions_in_any_order() -> None:
    assert decided(text("%o = atomicrmw fadd ptr %x, double 1.0 monotonic"), False).on_teams


def test_variables_of_each_thread() -> None:
    assert not decided(text("store i32 1, ptr @counter", "thread_local"), False).on_teams
