"""Which threads are gathered: those that nothing tells from calls but the time when they run."""

from __future__ import annotations

import pytest

from enzyme_cc.link.merged_module.libraries.stand_ins import has_stand_in
from enzyme_cc.link.merged_module.threads.gathered_threads import with_gathering, with_runs
from enzyme_cc.link.merged_module.threads.parallel_regions import ALONE
from enzyme_cc.rules.parallel.gathered import GATHERED, ON_GATHERED, RUN

TEXT = """
@requested = global ptr @f
@number = {kind}global i32 0
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare i32 @library(ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_trylock(ptr)
declare i64 @pthread_self()
define void @f(ptr %x, i64 %thread) {{
  %made = call i32 @pthread_create(ptr %x, ptr null, ptr @run, ptr %x)
  {end}
  ret void
}}
define internal ptr @run(ptr %x) {{
  {body}
  ret ptr %x
}}
"""
JOIN = "%joined = call i32 @pthread_join(i64 %thread, ptr null)"


def text(body: str = "%same = call i32 @library(ptr %x)", end: str = JOIN, kind: str = "") -> str:
    return TEXT.format(body=body, end=end, kind=kind)


@pytest.mark.parametrize(
    "body",
    ["%same = call i32 @library(ptr %x)", "%held = call i32 @pthread_mutex_lock(ptr %x)", "store i32 0, ptr @number"],
)
def test_threads_that_are_joined_are_gathered(body: str) -> None:
    regions = with_gathering(text(body), ALONE)
    assert regions.gathers and regions.on_teams


@pytest.mark.parametrize(
    ("body", "end", "kind", "why"),
    [
        ("", "", "", "none is joined"),
        ("%held = call i32 @pthread_mutex_trylock(ptr %x)", JOIN, "", "there is a call of pthread_mutex_trylock"),
        ("%id = call i64 @pthread_self()", JOIN, "", "a thread asks what it is called in run"),
        (
            "%more = call i32 @pthread_create(ptr %x, ptr null, ptr @run, ptr %x)",
            JOIN,
            "",
            "a thread makes threads in run",
        ),
        ("store i32 0, ptr @number", JOIN, "thread_local ", "there is a variable of threads in run"),
        ("%now = load atomic i64, ptr %x seq_cst, align 8", JOIN, "", "there is an atomic load in run"),
        ("%caught = call ptr @__cxa_begin_catch(ptr %x)", JOIN, "", "an exception is caught in run"),
    ],
)
def test_other_threads_run_where_they_are_made(body: str, end: str, kind: str, why: str) -> None:
    regions = with_gathering(text(body, end, kind), ALONE)
    assert not regions.gathers and not regions.on_teams
    assert regions.in_turns is not None and regions.in_turns[1] == why


def test_a_request_for_more_than_derivatives_follows_no_threads() -> None:
    asked = text() + "declare double @__enzyme_truncate_mem_func(ptr)\n"
    assert with_gathering(asked, ALONE) is ALONE


def test_all_threads_have_run_when_a_requested_function_returns() -> None:
    lines = with_runs(text()).splitlines()
    at = lines.index(f"  call void @{RUN}()")
    assert lines[at + 1] == "  ret void"
    assert lines.count(lines[at]) == 1


def test_each_function_has_a_stand_in() -> None:
    assert all(has_stand_in(GATHERED + name) for name in ON_GATHERED)
    assert has_stand_in(RUN)
