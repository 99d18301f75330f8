"""The primal's values in the reverse sweep: computed again where that is possible, and else stored."""

from __future__ import annotations

from enzyme_cc.autodiff.core.signature import Form
from tests.autodiff.sweeps import derivative

#: the derivative needs %s, which is made of %x
RECOMPUTED = """
define double @f(double %x, ptr %p) {
  %s = fadd double %x, 1.0
  %z = fmul double %s, %s
  ret double %z
}
"""
#: it needs what lies at %p before the store
OVERWRITTEN = """
define double @f(double %x, ptr %p) {
  %s = load double, ptr %p
  store double %x, ptr %p
  %z = fmul double %s, %s
  ret double %z
}
"""
#: it needs the value of each iteration
LOOP = """
define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ %x, %entry ], [ %t, %loop ]
  %t = fmul double %s, %s
  %next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}
"""


def reverse(text: str, arguments: str) -> list[str]:
    """The reverse half of a split derivative."""
    return derivative(text, arguments, Form.REVERSE)


def takes_tape(lines: list[str]) -> bool:
    return any(line.endswith(", align 8") and " load " in line for line in lines)


def test_a_sum_of_an_argument_is_computed_again() -> None:
    found = reverse(RECOMPUTED, "out const")
    assert "%7 = fadd double %0, 1.0" in found
    assert not takes_tape(found)


def test_a_number_that_is_overwritten_comes_from_the_tape() -> None:
    assert takes_tape(reverse(OVERWRITTEN, "out dup"))


def test_without_a_tape_it_is_kept_where_both_sweeps_see_it() -> None:
    kept = OVERWRITTEN.replace("  store double %x, ptr %p\n", "")
    for text in (OVERWRITTEN, kept):
        found = derivative(text, "out dup")
        assert sum("fmul" in line for line in found) == 2
        assert not takes_tape(found)


def test_each_iteration_of_a_loop_has_a_value() -> None:
    found = reverse(LOOP, "out const")
    assert any("getelementptr" in line for line in found)
    assert not any(
        "getelementptr" in line
        for line in reverse(LOOP.replace("fmul double %s, %s", "fmul double %s, 2.0"), "out const")
    )
