"""Loops that wait for a change of memory give other fibers a turn."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.threads.spin_waits import wait_in_spin_loops
from tests.analysis.support import SPIN_LOOP

from ..rewriting import becomes, is_unchanged


def test_a_turn_in_each_iteration() -> None:
    becomes(
        wait_in_spin_loops,
        "declare void @__ez_fiber_call(ptr, ptr, ptr, ptr)" + SPIN_LOOP,
        """
        entry:
          br label %loop
        loop:
          %v = load atomic i32, ptr %p acquire, align 4
          %done = icmp ne i32 %v, 0
          %0 = call i64 @__ez_fiber_wait(i64 0, ptr null, i64 0)
          br i1 %done, label %end, label %loop
        end:
          ret void
        """,
    )


def test_without_fibers_nothing_changes() -> None:
    is_unchanged(wait_in_spin_loops, SPIN_LOOP)
