"""Clones of pointers: a shadow is computed as its primal is, from the shadows of the operands."""

from enzyme_cc.autodiff.core.signature import Form
from tests.autodiff.sweeps import derivative


def test_the_shadow_of_an_address_has_the_same_offset() -> None:
    text = """
define double @f(ptr %p, i64 %k) {
  %q = getelementptr double, ptr %p, i64 %k
  %v = load double, ptr %q
  ret double %v
}"""
    lines = derivative(text, "dup const", Form.TANGENT)
    assert lines[:2] == ["%4 = getelementptr double, ptr %0, i64 %2", "%5 = getelementptr double, ptr %1, i64 %2"]
    assert lines[2:4] == ["%6 = load double, ptr %4", "%7 = load double, ptr %5"]


def test_the_shadow_of_a_choice_is_the_choice_of_shadows() -> None:
    text = """
define double @f(i1 %c, ptr %p, ptr %q) {
  %r = select i1 %c, ptr %p, ptr %q
  %v = load double, ptr %r
  ret double %v
}"""
    lines = derivative(text, "const dup dup", Form.TANGENT)
    assert lines[:2] == ["%6 = select i1 %0, ptr %1, ptr %3", "%7 = select i1 %0, ptr %2, ptr %4"]


def test_a_phi_of_pointers_has_a_phi_of_shadows() -> None:
    text = """
define double @f(i1 %c, ptr %p, ptr %q) {
entry:
  br i1 %c, label %other, label %end
other:
  br label %end
end:
  %r = phi ptr [ %p, %entry ], [ %q, %other ]
  %v = load double, ptr %r
  ret double %v
}"""
    lines = derivative(text, "const dup dup", Form.TANGENT)
    assert [line.split(" = ")[1] for line in lines if "phi" in line] == [
        "phi ptr [ %1, %5 ], [ %3, %6 ]",
        "phi ptr [ %2, %5 ], [ %4, %6 ]",
    ]


def test_a_pointer_found_in_an_operand_has_its_shadow_at_the_same_distance() -> None:
    text = """
declare ptr @strchr(ptr, i32)

define double @f(ptr %p) {
  %q = call ptr @strchr(ptr %p, i32 7)
  %v = load double, ptr %q
  ret double %v
}"""
    lines = derivative(text, "dup", Form.TANGENT)
    assert "%6 = sub i64 %4, %5" in lines
    assert "%8 = getelementptr i8, ptr %1, i64 %6" in lines
    assert "%9 = select i1 %7, ptr null, ptr %8" in lines  # not found: null stays null
