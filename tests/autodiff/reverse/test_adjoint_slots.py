"""Adjoints in the reverse sweep: registers within a block, slots on the stack between blocks."""

from __future__ import annotations

from tests.autodiff.sweeps import derivative

STRAIGHT = """
define double @f(double %x) {
  %y = fmul double %x, %x
  %z = fmul double %y, 3.0
  ret double %z
}
"""
BRANCHES = """
define double @f(double %x, i1 %c) {
entry:
  %y = fmul double %x, %x
  br i1 %c, label %left, label %right
left:
  %a = fmul double %y, 3.0
  br label %end
right:
  %b = fmul double %y, 5.0
  br label %end
end:
  %z = phi double [ %a, %left ], [ %b, %right ]
  ret double %z
}
"""
PAIR = """
define double @f({ double, double } %x) {
  %a = extractvalue { double, double } %x, 0
  %b = extractvalue { double, double } %x, 1
  %z = fmul double %a, %b
  ret double %z
}
"""


def slots(text: str, arguments: str = "out") -> int:
    """The slots that begin as zero, and those that do not."""
    return sum("alloca double, align 8" in line for line in derivative(text, arguments))


def test_values_that_one_block_uses_need_no_slots() -> None:
    assert slots(STRAIGHT) == 1  # that of the argument


def test_values_that_other_blocks_use_have_slots() -> None:
    assert slots(BRANCHES, "out const") > 1


def test_the_numbers_of_a_struct_have_one_slot() -> None:
    found = derivative(PAIR, "out")
    assert sum("alloca { double, double }, align 8" in line for line in found) == 1
    assert any("i64 8" in line and "getelementptr" in line for line in found)


def test_what_lies_on_no_way_to_the_result_has_no_adjoint() -> None:
    unused = STRAIGHT.replace("ret double %z", "ret double 1.0")
    assert not any("fmul" in line and "%1" in line for line in derivative(unused, "out"))
