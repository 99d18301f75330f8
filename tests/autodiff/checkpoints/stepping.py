"""A program with a loop of checkpointed steps, in IR text."""

from __future__ import annotations

from enzyme_cc.autodiff.checkpoints.step_loops import StepLoop, find_loop
from enzyme_cc.ir.module import Module

STEP = """
declare double @__enzyme_autodiff(...)
define double @g(ptr %x, ptr %dx, double %h, i64 %n) {
  %d = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, double %h, i64 %n)
  ret double %d
}
define void @step(ptr %x, double %h) {
  ret void
}
"""
LOOP = """
define double @f(ptr %x, double %h, i64 %n) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @step(ptr %x, double %h)
  %next = add nuw nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %h
}
"""


def module(loop: str = LOOP) -> Module:
    return Module.parse(STEP + loop)


def loop_of(found: Module) -> StepLoop:
    loop = find_loop(found, {"@step": 4})
    assert loop is not None
    return loop
