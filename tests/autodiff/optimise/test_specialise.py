"""Templates of stand-ins become one function for each set of constants that calls pass."""

from __future__ import annotations

from enzyme_cc.autodiff.optimise.specialise import hide_templates, specialise

PROGRAM = """
@_QMmTpoint = constant i64 7
define internal void @__ez_of_each_copy(ptr noundef %to, i64 noundef %count, ptr noundef %type) {
  %size = load i64, ptr %type, align 8
  %bytes = mul i64 %size, %count
  store i64 %bytes, ptr %to, align 8
  ret void
}
define void @assign(ptr %to) {
  call void @__ez_of_each_copy(ptr %to, i64 3, ptr @_QMmTpoint)
  ret void
}
define void @assign_again(ptr %to) {
  call void @__ez_of_each_copy(ptr %to, i64 3, ptr @_QMmTpoint)
  ret void
}
"""


def test_a_function_for_each_set_of_constants() -> None:
    text, any_used = specialise(hide_templates(PROGRAM))
    assert any_used
    assert "@__ez_of_each_" not in text
    assert text.count("define internal void @__ez_made_") == 1
    assert text.count("call void @__ez_made_0_copy(ptr %to)") == 2
    assert "store i64 21, ptr" in text  # the constants are folded


def test_a_module_without_templates_is_kept() -> None:
    assert specialise("define void @f() {\n  ret void\n}\n") == ("define void @f() {\n  ret void\n}\n", False)
