"""Which loops are loops of checkpointed steps."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.checkpoints.step_loops import find_loop
from enzyme_cc.ir.module import Module
from enzyme_cc.report.diagnostics import EnzymeError

from .stepping import LOOP, STEP, loop_of, module

HEADER = """
define double @f(ptr %x, double %h, i64 %n) {
entry:
  br label %head
head:
  %t = phi i64 [ 0, %entry ], [ %next, %loop ]
  %more = icmp slt i64 %t, %n
  br i1 %more, label %loop, label %done
loop:
  call void @step(ptr %x, double %h)
  %next = add nuw nsw i64 %t, 1
  br label %head
done:
  ret double %h
}
"""


def test_a_loop_may_be_left_at_its_end_or_at_its_beginning() -> None:
    assert loop_of(module()).whole
    assert not loop_of(module(HEADER)).whole


def test_a_loop_that_is_left_in_the_middle_is_refused() -> None:
    middle = HEADER.replace("  %more = icmp", "  store double %h, ptr %x\n  %more = icmp")
    with pytest.raises(EnzymeError, match="the loop is left in the middle"):
        loop_of(module(middle))


def test_a_call_of_a_step_outside_of_loops_is_no_loop() -> None:
    straight = (
        "define double @f(ptr %x, double %h, i64 %n) {\n  call void @step(ptr %x, double %h)\n  ret double %h\n}\n"
    )
    assert find_loop(module(straight), {"@step": 4}) is None


def test_a_pointer_that_moves_by_more_than_a_step_of_fixed_size_is_refused() -> None:
    moved = LOOP.replace("  call void", "  %p = phi ptr [ %x, %entry ], [ %q, %loop ]\n  call void").replace(
        "  %next", "  %q = load ptr, ptr %p\n  %next"
    )
    with pytest.raises(EnzymeError, match="the loop hands a pointer from one iteration to the next"):
        loop_of(module(moved))
    counted = moved.replace("%q = load ptr, ptr %p", "%q = getelementptr double, ptr %p, i64 1")
    assert len(loop_of(module(counted)).variables) == 2


def test_a_loop_that_no_request_reaches_is_left_alone() -> None:
    assert find_loop(Module.parse(STEP.replace("(ptr @f,", "(ptr @step,") + LOOP), {"@step": 4}) is None
