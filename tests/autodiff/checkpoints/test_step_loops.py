"""A loop of checkpointed steps becomes a call; its body becomes a function, which a copy watches."""

from __future__ import annotations

from textwrap import dedent

import pytest

from enzyme_cc.autodiff.checkpoints import make_checkpointed
from enzyme_cc.report.diagnostics import EnzymeError

from ..normalise.rewriting import body, lines

STEP = dedent("""
    @__enzyme_register_checkpoint_step = global [2 x ptr] [ptr @step, ptr inttoptr (i64 4 to ptr)]
    declare double @__enzyme_autodiff(...)
    define double @g(ptr %x, ptr %dx, double %h, i64 %n) {
      %d = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, double %h, i64 %n)
      ret double %d
    }
    define void @step(ptr %x, double %h) {
      %v = load double, ptr %x, align 8
      %w = fmul double %v, %h
      store double %w, ptr %x, align 8
      ret void
    }
""")
LOOP = dedent("""
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
      %r = load double, ptr %x, align 8
      ret double %r
    }
""")


def test_the_loop_becomes_a_call_with_a_closure() -> None:
    """The closure holds what the loop uses: numbers first, whose adjoints its shadow sums up."""
    found = body(make_checkpointed(STEP + LOOP, verify=True))
    assert found[:6] == lines("""
        entry:
          %0 = alloca { double, ptr, i64 }
          store double %h, ptr %0
          %1 = getelementptr inbounds i8, ptr %0, i64 8
          store ptr %x, ptr %1
          %2 = getelementptr inbounds i8, ptr %0, i64 16
    """)
    assert "call void @__ez_checkpointed.f(ptr %0, i64 %8)" in found


def test_the_body_becomes_a_function_of_closure_and_index() -> None:
    assert body(make_checkpointed(STEP + LOOP, verify=True), "@__ez_iteration.f") == lines("""
          %3 = load double, ptr %0
          %4 = getelementptr inbounds i8, ptr %0, i64 8
          %5 = load ptr, ptr %4
          %6 = getelementptr inbounds i8, ptr %0, i64 16
          %7 = load i64, ptr %6
          br label %loop
        loop:
          call void @step(ptr %5, double %3)
          br label %8
        8:
          ret void
    """)


def test_a_copy_of_the_step_reports_what_it_touches() -> None:
    assert body(make_checkpointed(STEP + LOOP, verify=True), "@__ez_watched.step") == lines("""
        call void @__ez_checkpoint_touch(ptr %x, i64 8, i32 0)
        %v = load double, ptr %x, align 8
        %w = fmul double %v, %h
        call void @__ez_checkpoint_touch(ptr %x, i64 8, i32 1)
        store double %w, ptr %x, align 8
        ret void
    """)


def test_the_gradient_stores_the_declared_number_of_states() -> None:
    forward = body(make_checkpointed(STEP + LOOP, verify=True), "@__ez_checkpointed.f.augmented")[0]
    assert forward.endswith("i64 24, i64 8, i64 %steps, i64 4)")  # bytes of the closure and of numbers, steps, states


@pytest.mark.parametrize(
    "old, new, reason",
    [
        ("icmp slt i64 %next, %n", "call i1 @again()", "how often the loop runs is not known before it runs"),
        ("call void @step", "%place = alloca double\n  call void @step", "the loop allocates on the stack"),
    ],
)
def test_a_loop_of_another_shape_is_refused(old: str, new: str, reason: str) -> None:
    with pytest.raises(EnzymeError, match="EZ0211") as found:
        make_checkpointed(STEP + LOOP.replace(old, new) + "declare i1 @again()\n")
    assert found.value.diagnostics[0].reason == reason


def test_a_loop_that_no_request_reaches_is_kept() -> None:
    text = STEP.replace("(ptr @f,", "(ptr @step,") + LOOP
    assert "@__ez_checkpointed" not in make_checkpointed(text, verify=True)
