"""Changes of the text before LLVM optimises it."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.optimise.preoptimise import keep_loops_apart, rejoin_loops, with_local_pointers, without_errno

LOOP = """define void @f() #0 {
  br label %loop

loop:
  br label %loop
}
define void @g() #0 {
  ret void
}
attributes #0 = { nounwind }"""


def test_math_functions_are_declared_without_effects_on_memory() -> None:
    text = without_errno("declare double @sin(double)\ndeclare double @unknown(double)\n")
    assert "declare double @sin(double) nofree nounwind willreturn memory(none)\n" in text
    assert "declare double @unknown(double)\n" in text


def test_functions_with_loops_are_not_inlined_in_the_first_round() -> None:
    marked = keep_loops_apart(LOOP)
    assert 'define void @f() #0 noinline "enzyme-loops" {' in marked
    assert "define void @g() #0 {" in marked


def test_the_marks_are_removed_where_llvm_has_put_them() -> None:
    assert rejoin_loops('attributes #1 = { noinline nounwind "enzyme-loops" }').split() == [
        "attributes", "#1", "=", "{", "nounwind", "}",
    ]  # fmt: skip


@pytest.mark.parametrize("declared, known", [
    ("declare i64 @_FortranASize(ptr, i32)", "declare i64 @_FortranASize(ptr readonly captures(none), i32)"),
    ("declare void @_ZdlPvm(ptr noundef, i64)", "declare void @_ZdlPvm(ptr captures(none) noundef, i64)"),
    ("declare void @free(ptr captures(none))", "declare void @free(ptr captures(none))"),
    ("declare void @unknown(ptr)", "declare void @unknown(ptr)"),
])  # fmt: skip
def test_pointers_that_library_functions_do_not_keep(declared: str, known: str) -> None:
    assert with_local_pointers(declared) == known
