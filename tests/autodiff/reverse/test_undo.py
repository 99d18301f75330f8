"""Writes undone: the primal sweep saves what a write overwrites, and the reverse sweep puts it back."""

from enzyme_cc.analysis.activity.activity import ResultActivity
from tests.autodiff.jit import Compiled
from tests.autodiff.sweeps import derivative

#: y = y·x in each iteration: the adjoint of an iteration needs y as it was before
TEXT = """
declare double @__enzyme_autodiff(...)

define double @f(double %x, ptr %y, i64 %n) noinline {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %old = load double, ptr %y
  %new = fmul double %old, %x
  store double %new, ptr %y
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %result = load double, ptr %y
  ret double %result
}

define double @gradient(double %x, i64 %n) {
  %y = alloca double
  %dy = alloca double
  store double 3.0, ptr %y
  store double 0.0, ptr %dy
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x, ptr %y, ptr %dy, i64 %n)
  ret double %d
}
"""


def test_the_gradient_of_a_value_overwritten_in_a_loop() -> None:
    assert Compiled(TEXT).call("gradient", 2.0, 4) == 3 * 4 * 2**3


MOVED = """
define void @f(ptr %p, ptr %q) {
  %i = load i64, ptr %q
  %place = getelementptr double, ptr %p, i64 %i
  %v = load double, ptr %place
  %w = fmul double %v, %v
  store double %w, ptr %place
  ret void
}
"""


def test_a_value_needed_by_the_reverse_sweep_is_stored_before_it_is_overwritten() -> None:
    lines = derivative(MOVED, "dup const", result=ResultActivity.NONE)
    loaded = next(k for k, line in enumerate(lines) if "= load double" in line)
    stored = next(k for k, line in enumerate(lines) if line.startswith("store double %") and k > loaded)
    name = lines[loaded].split(" = ")[0]
    assert lines[stored].startswith(f"store double {name}, ")
