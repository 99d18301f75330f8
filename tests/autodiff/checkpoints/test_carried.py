"""Values that a loop hands from one iteration to the next are kept in memory."""

from __future__ import annotations

from enzyme_cc.autodiff.checkpoints.carried import carry_in_memory
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.module import Module

from ..normalise.rewriting import body, lines

SUM = """
define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %t = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %sum, %loop ]
  %sum = fadd double %s, %x
  %next = add nuw nsw i64 %t, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %r = phi double [ %sum, %loop ]
  ret double %r
}
"""


def carried(text: str) -> list[str]:
    module = Module.parse(text)
    function = module.body("@f")
    carry_in_memory(function, ControlFlow(function).loops[0])
    return body(str(module))


def test_a_number_is_stored_at_the_end_of_each_iteration_and_loaded_at_the_beginning() -> None:
    assert carried(SUM) == lines("""
        entry:
          %0 = alloca double
          store double 0.0, ptr %0
          br label %loop
        loop:
          %t = phi i64 [ 0, %entry ], [ %next, %loop ]
          %1 = load double, ptr %0
          %sum = fadd double %1, %x
          %next = add nuw nsw i64 %t, 1
          %more = icmp slt i64 %next, %n
          store double %sum, ptr %0
          br i1 %more, label %loop, label %done
        done:
          %2 = load double, ptr %0
          ret double %2
    """)


def test_induction_variables_and_pointers_stay_in_registers() -> None:
    pointer = SUM.replace("double", "ptr").replace("0.0", "null").replace("fadd ptr %s, %x", "load ptr, ptr %s")
    assert not any("alloca" in line for line in carried(pointer))
