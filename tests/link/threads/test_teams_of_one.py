"""Which parallel regions run in one thread, in turns, or not at all."""

from __future__ import annotations

import pytest

from enzyme_cc.link.merged_module.threads.teams_of_one import with_teams_of_one

TEXT = """
@requested = global ptr @f
@own = thread_local global i32 0
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
declare void @__kmpc_push_num_threads(ptr, i32, i32)
declare void @__kmpc_barrier(ptr, i32)
declare i32 @omp_get_thread_num()
declare i32 @omp_get_num_threads()
declare i32 @omp_get_max_threads()
define void @f(ptr %x, i32 %n) {{
  {}
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @region, ptr %x)
  ret void
}}
define internal void @region(ptr %t, ptr %b, ptr %x) {{
  call void @helper(ptr %x)
  ret void
}}
define internal void @helper(ptr %x) {{
  {}
  ret void
}}
"""
CLAUSE = "call void @__kmpc_push_num_threads(ptr null, i32 0, i32 %n)"
NUMBER, SIZE = "%o = call i32 @omp_get_thread_num()", "%s = call i32 @omp_get_num_threads()"
BARRIER = "call void @__kmpc_barrier(ptr %x, i32 0)"
TURNS, OF_TEAM = "@__ez_turns.region(i32 %n, ptr %ez.thread", "@__ez_turns.region(i32 %ez.count0, ptr %ez.thread"
ONE, REFUSED = "call void @region(ptr %ez.thread", "call void @__team_alone(i32 %n)"


@pytest.mark.parametrize(
    "before, inside, how",
    [
        (CLAUSE, NUMBER, TURNS),
        (CLAUSE, NUMBER + SIZE.replace("%s", "\n  %s"), TURNS),
        (CLAUSE, "store i32 0, ptr %x", TURNS),
        (CLAUSE.replace("%n", "1"), NUMBER, ONE),
        ("", NUMBER, OF_TEAM),
        ("", "store i32 0, ptr %x", ONE),
        ("%m = call i32 @omp_get_max_threads()", NUMBER, ONE),
        (CLAUSE, f"{NUMBER}\n  {BARRIER}", REFUSED),
        (CLAUSE, f"{NUMBER}\n  {SIZE}\n  {BARRIER}", ONE),
        (CLAUSE, f"{NUMBER}\n  %v = load volatile i32, ptr %x", REFUSED),
        (CLAUSE, f"{NUMBER}\n  %v = load i32, ptr @own", REFUSED),
        (CLAUSE, BARRIER, ONE),
    ],
)
def test_how_a_region_runs(before: str, inside: str, how: str) -> None:
    found = with_teams_of_one(TEXT.format(before, inside))
    assert how in found
    assert ("@__ez_turns" in found) == (how in (TURNS, OF_TEAM))
    assert ("@__team_alone" in found) == (how == REFUSED)


def test_a_region_that_may_tell_the_size_takes_turns_if_all_do() -> None:
    other = """
define internal void @g(ptr %x) {
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @other, ptr %x)
  ret void
}
define internal void @other(ptr %t, ptr %b, ptr %x) {
  call void @__kmpc_barrier(ptr null, i32 0)
  ret void
}
@table = global ptr @g
"""
    assert TURNS in with_teams_of_one(TEXT.format(CLAUSE, NUMBER) + other)
    assert TURNS not in with_teams_of_one(TEXT.format(CLAUSE, SIZE) + other)
