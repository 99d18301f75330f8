"""Which threads are fibers: those of links in which threads may wait for each other."""

from __future__ import annotations

import pytest

from enzyme_cc.link.merged_module.libraries.stand_ins import has_stand_in
from enzyme_cc.link.merged_module.threads.waiting_threads import (
    NeedsFibers,
    check_spin_loops,
    how_threads_run,
)
from enzyme_cc.rules.parallel.fibers import FIBER, MAKERS, ON_FIBERS, WAITS
from tests.analysis.support import SPIN_LOOP

TEXT = """
@requested = global ptr @f
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_barrier_wait(ptr)
define void @f(ptr %x) {{
  %made = call i32 @{}(ptr %x, ptr null, ptr @run, ptr %x)
  ret void
}}
define internal ptr @run(ptr %x) {{
  %met = call i32 @{}(ptr %x)
  ret ptr %x
}}
declare i32 @elsewhere(ptr)
declare i32 @makes(ptr, ptr, ptr, ptr)
define i32 @not_reached(ptr %x) {{
  %met = call i32 @pthread_barrier_wait(ptr %x)
  %made = call i32 @pthread_create(ptr %x, ptr null, ptr null, ptr %x)
  ret i32 %met
}}
"""


@pytest.mark.parametrize(
    ("maker", "waits", "has_fibers"),
    [
        ("pthread_create", "pthread_barrier_wait", True),
        ("pthread_create", "elsewhere", False),
        ("makes", "pthread_barrier_wait", False),
    ],
)
def test_threads_that_wait_are_fibers(maker: str, waits: str, has_fibers: bool) -> None:
    text = TEXT.format(maker, waits)
    makes_threads = maker == "pthread_create"
    assert how_threads_run(text, None) == (makes_threads, has_fibers)
    assert how_threads_run(text, False) == (makes_threads, False)
    assert how_threads_run(text, True) == (makes_threads, makes_threads)


def test_loops_that_wait_for_a_change_are_found() -> None:
    with pytest.raises(NeedsFibers):
        check_spin_loops(SPIN_LOOP)
    check_spin_loops(SPIN_LOOP.replace("br i1 %done, label %end, label %loop", "br label %end"))


def test_each_function_has_a_stand_in() -> None:
    assert ON_FIBERS >= MAKERS | WAITS
    assert [name for name in sorted(ON_FIBERS) if not has_stand_in(FIBER + name)] == []
