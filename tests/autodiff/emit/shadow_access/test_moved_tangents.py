"""Adjoints and tangents of memory that is moved: by copies, and by reallocations."""

from __future__ import annotations

from enzyme_cc.autodiff.core.signature import Form

from .emitted import lines, runtime_calls

GROWN = """%m = call ptr @malloc(i64 8)
  store double %x, ptr %m!D
  %n = call ptr @realloc(ptr %m, i64 16)
  %y = load double, ptr %n!D"""
CONSTANT = """%m = call ptr @malloc(i64 8)
  store double 1.0, ptr %m!D
  %n = call ptr @realloc(ptr %m, i64 16)
  %k = load double, ptr %n!D
  %y = fmul double %k, %x"""


def test_a_reallocation_moves_adjoints_back_as_far_as_the_smaller_block() -> None:
    assert [name for name in runtime_calls(lines(GROWN)) if name in ("smaller", "zeroed", "copy_adjoint_f64")] == [
        "smaller",
        "zeroed",
        "copy_adjoint_f64",
    ]


def test_forward_mode_reallocates_the_shadow_too() -> None:
    def reallocations(body: str) -> int:
        return sum("@realloc(" in line for line in lines(body, Form.TANGENT, arguments="dup"))

    assert reallocations(GROWN) == 2
    assert reallocations(CONSTANT) == 1


def test_a_tangent_in_reallocated_memory_is_zero_if_the_block_is_unshadowed() -> None:
    assert any(
        "select i1" in line and "double 0x0000000000000000" in line
        for line in lines(GROWN, Form.TANGENT, arguments="dup")
    )
    assert not any("select i1" in line for line in lines(GROWN, Form.TANGENT, arguments="dup", asks=False))
