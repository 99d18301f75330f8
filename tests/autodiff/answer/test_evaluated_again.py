"""`__enzyme_fwdsplit` evaluates f again: its inputs are kept if f overwrites them."""

from __future__ import annotations

from .answered import OVERWRITING, SQUARE, answered, body

SPLIT = """
declare ptr @__enzyme_augmentfwd(...)
declare void @__enzyme_fwdsplit(...)
define void @g(ptr %p, ptr %d) {
  %u = load i32, ptr @enzyme_dup
  %t = load i32, ptr @enzyme_tape
  %tape = call ptr (...) @__enzyme_augmentfwd(ptr @f, i32 %u, ptr %p, ptr %d)
  call void (...) @__enzyme_fwdsplit(ptr @f, i32 %u, ptr %p, ptr %d, i32 %t, ptr %tape)
  ret void
}
"""
READING = OVERWRITING.replace("store double %y, ptr %p", "%z = load double, ptr %p")


def test_overwritten_inputs_are_saved_before_and_restored_around_the_second_evaluation() -> None:
    g = body(answered(OVERWRITING + SPLIT))
    steps = ("@__ez_again_inputs", "@__ez_augmented.f", "@__ez_again_enter", "@__ez_tangent.f", "@__ez_again_leave")
    places = [g.index(step) for step in steps]
    assert places == sorted(places)


def test_inputs_that_stay_as_they_are_need_no_saving() -> None:
    assert "@__ez_again" not in body(answered(READING + SPLIT))


def test_the_first_halves_of_other_requests_save_nothing() -> None:
    text = """
    declare ptr @__enzyme_augmentfwd(...)
    define ptr @g(double %x) {
      %tape = call ptr (...) @__enzyme_augmentfwd(ptr @f, double %x)
      ret ptr %tape
    }
    """
    assert "@__ez_again" not in body(answered(SQUARE + text))
