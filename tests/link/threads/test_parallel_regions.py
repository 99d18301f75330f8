"""Which parallel regions run on teams of threads."""

from __future__ import annotations

import pytest

from enzyme_cc.link.merged_module.threads.broadcasts import with_shared_places
from enzyme_cc.link.merged_module.threads.library_copies import with_library_copies, with_own_copies
from enzyme_cc.link.merged_module.threads.parallel_regions import decided, with_names_of_teams

TEXT = """
@requested = global ptr @f
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
declare void @__kmpc_barrier(ptr, i32)
declare ptr @__kmpc_taskred_init(i32, ptr)
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


def text(line: str = "") -> str:
    return TEXT.format(line)


def test_runs_on_a_team() -> None:
    assert decided(text(), False).on_teams
    assert not decided(text(), True).on_teams
    assert "call void @__team__kmpc_barrier(" in with_names_of_teams(text())


@pytest.mark.parametrize(
    "line, why",
    [
        (
            "%o = call ptr @__kmpc_taskred_init(i32 0, ptr %x)",
            "a reduction of tasks is of types that are not told apart, of objects, or of a caller, in helper",
        ),
        ("%o = cmpxchg ptr %x, i64 0, i64 1 seq_cst seq_cst", "there is an atomic cmpxchg in helper"),
        ("%o = call ptr @__cxa_begin_catch(ptr %x)", "an exception is caught in helper"),
        ("store atomic i32 1, ptr %x release, align 4", "there is an atomic store in helper"),
        ("%o = atomicrmw xchg ptr %x, i64 1 monotonic", "there is an atomic xchg in helper"),
    ],
)
def test_what_keeps_regions_in_teams_of_one(line: str, why: str) -> None:
    assert decided(text(line), False).why_not == why


HANDLER = """  invoke void @throwing() to label %done unwind label %caught
done:
  ret void
caught:
  %pad = landingpad {{ ptr, i32 }} catch ptr null
  %object = extractvalue {{ ptr, i32 }} %pad, 0
  %begun = call ptr @__cxa_begin_catch(ptr %object)
  {}
}}
declare void @throwing()
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_rethrow()
define internal void @other(ptr %x) {{"""


def test_a_handler_that_throws_again_catches_nothing() -> None:
    assert decided(text(HANDLER.format("call void @__cxa_rethrow()\n  unreachable")), False).on_teams
    ends = decided(text(HANDLER.format("br label %done")), False)
    assert ends.why_not == "an exception is caught in helper"


TASK = """%t = call ptr @__kmpc_omp_task_alloc(ptr %x, i32 0, i32 {}, i64 40, i64 0, ptr @helper)
  %made = call i32 @__kmpc_omp_task(ptr %x, i32 0, ptr %t)"""


def test_tasks() -> None:
    assert decided(text(TASK.format(1)), False).on_teams
    critical = "call void @__kmpc_critical(ptr %x, i32 0, ptr %x)"
    untied, always_final = 0, 3
    for sort in (untied, always_final):
        assert decided(text(TASK.format(sort)), False).why_not.startswith("a task is not tied")
    maybe_final = "%final = select i1 true, i32 2, i32 0\n  %sort = or disjoint i32 %final, 1\n  "
    assert decided(text(maybe_final + TASK.format("%sort")), False).on_teams
    with_section = text(f"{TASK.format(1)}\n  {critical}")
    assert decided(with_section, False).why_not == "there is a call of __kmpc_critical in a task of region"
    beside = text(f"{TASK.format(1).replace('@helper', '@task')}\n  {critical}")
    assert decided(beside + "define internal i32 @task(i32 %a, ptr %b) {\n  ret i32 0\n}\n", False).on_teams


def test_additions_in_any_order() -> None:
    assert decided(text("%o = atomicrmw fadd ptr %x, double 1.0 monotonic"), False).on_teams


def test_a_task_that_is_not_deferred_is_a_group() -> None:
    task = """%t = call ptr @__kmpc_omp_task_alloc(ptr %x, i32 0, i32 1, i64 40, i64 0, ptr @helper)
  call void @__kmpc_omp_task_begin_if0(ptr %x, i32 0, ptr %t)
  %done = call i32 @helper(i32 0, ptr %t)
  call void @__kmpc_omp_task_complete_if0(ptr %x, i32 0, ptr %t)
"""
    assert decided(text(task), False).on_teams
    made = with_names_of_teams(text(task))
    assert "call i32 @__team__kmpc_omp_task(ptr %x, i32 0, ptr %t)" in made
    assert "call void @__team__kmpc_end_taskgroup(ptr %x, i32 0)" in made


BROADCAST = "call void @__kmpc_copyprivate(ptr null, i32 0, i64 8, ptr %x, ptr @copy, i32 %t)"


def test_a_broadcast_has_a_place_in_the_function_that_forks() -> None:
    given = with_shared_places(text(BROADCAST))
    assert decided(text(BROADCAST), False).on_teams
    assert "define void @f(ptr %x) {\n  %ez.copyprivate.0 = alloca ptr" in given
    assert "@__kmpc_fork_call(ptr null, i32 2, ptr @region, ptr %x, ptr %ez.copyprivate.0)" in given
    assert "define internal void @region(ptr %t, ptr %b, ptr %x, ptr %ez.copyprivate.0)" in given
    assert "call void @helper(ptr %x, ptr %ez.copyprivate.0)" in given
    assert (
        "@__team__kmpc_copyprivate(ptr null, i32 0, i64 8, ptr %x, ptr @copy, i32 %t, ptr %ez.copyprivate.0)" in given
    )


@pytest.mark.parametrize(
    "more",
    ["@table = global ptr @helper", "define void @g(ptr %x) {\n  call void @helper(ptr %x)\n  ret void\n}"],
    ids=["its address is known", "others call it"],
)
def test_a_broadcast_without_a_place(more: str) -> None:
    assert "__kmpc_copyprivate" in decided(text(BROADCAST) + more, False).why_not


COPY = "%copy = call ptr @__kmpc_threadprivate_cached(ptr null, i32 0, ptr @v, i64 16, ptr @v.cache)"
VARIABLE = "@v = common global [16 x i8] zeroinitializer, align 8\n@v.cache = common global ptr null\n"


def test_copies_of_the_library_are_variables_of_threads_meanwhile() -> None:
    assert decided(text(COPY) + VARIABLE, False).on_teams
    own = with_own_copies(text(COPY) + VARIABLE)
    assert "%copy = call ptr @llvm.threadlocal.address.p0(ptr @ez.thread.copy.v)" in own
    given = with_library_copies(own.replace("  ret void", "  store ptr @ez.thread.copy.v, ptr %x\n  ret void"))
    assert "%copy = call ptr @ez.thread.address.v()" in given
    assert "define internal void @helper(ptr %x) {\n  %ez.thread.address.0 = call ptr @ez.thread.address.v()" in given
    assert "store ptr %ez.thread.address.0, ptr %x" in given
    assert "define internal ptr @ez.thread.address.v()" in given


def test_constants_of_the_addresses_of_copies() -> None:
    own = with_own_copies(text(COPY) + VARIABLE)
    part = "  store ptr getelementptr inbounds (i8, ptr @ez.thread.copy.v, i64 8), ptr %x\n  ret void"
    given = with_library_copies(own.replace("  ret void", part))
    assert "%ez.thread.address.1 = getelementptr inbounds i8, ptr %ez.thread.address.0, i64 8" in given
    assert "store ptr %ez.thread.address.1, ptr %x" in given


def test_a_variable_with_a_shadow_of_its_own_stays_the_library_s() -> None:
    module = (
        text(COPY) + VARIABLE + "@pair = global [2 x ptr] [ptr @v, ptr @dv]\n@dv = global [16 x i8] zeroinitializer\n"
    )
    assert "__kmpc_threadprivate_cached" in decided(module, False).why_not
