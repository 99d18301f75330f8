"""Loops that wait for a change of memory give other fibers a turn, and wait for other threads in vain without them."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.threads.spin_waits import wait_in_spin_loops
from tests.analysis.support import SPIN_LOOP

from ..rewriting import becomes, is_unchanged

#: the loop goes on: another fiber must have a turn
WAIT = """
        entry:
          br label %loop
        loop:
          %v = load atomic i32, ptr %p acquire, align 4
          %done = icmp ne i32 %v, 0
          %0 = xor i1 %done, true
          %1 = zext i1 %0 to i64
          %2 = call i64 @__ez_fiber_wait(i64 0, ptr null, i64 %1)
          br i1 %done, label %end, label %loop
        end:
          ret void
        """
FIBERS = "declare void @__ez_fiber_call(ptr, ptr, ptr, ptr)"
LOOK = "%v = load atomic i32, ptr %p acquire, align 4"


def test_a_turn_in_each_iteration() -> None:
    becomes(wait_in_spin_loops, FIBERS + SPIN_LOOP, WAIT)


def test_without_fibers_there_is_nobody_to_wait_for() -> None:
    becomes(wait_in_spin_loops, SPIN_LOOP, WAIT)


def test_a_lock_is_free_some_time() -> None:
    lock = SPIN_LOOP.replace(LOOK, "%v = atomicrmw xchg ptr %p, i32 0 acquire")
    is_unchanged(wait_in_spin_loops, lock)
    becomes(
        wait_in_spin_loops,
        FIBERS + lock,
        """
        entry:
          br label %loop
        loop:
          %v = atomicrmw xchg ptr %p, i32 0 acquire
          %done = icmp ne i32 %v, 0
          %0 = call i64 @__ez_fiber_wait(i64 0, ptr null, i64 0)
          br i1 %done, label %end, label %loop
        end:
          ret void
        """,
    )


def test_a_loop_that_changes_memory_itself_is_none() -> None:
    step = f"{LOOK}\n  store atomic i32 1, ptr %p release, align 4"
    is_unchanged(wait_in_spin_loops, SPIN_LOOP.replace(LOOK, step))
