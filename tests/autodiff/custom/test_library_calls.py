"""Derivatives of library functions, and functions of libraries that take handles."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.activity import ResultActivity
from enzyme_cc.autodiff.core.signature import Form
from enzyme_cc.autodiff.custom import handles, library_derivatives

from .building import built

LIBRARY = """
@__enzyme_register_library_f = global [5 x ptr] [ptr @f, ptr @augmented, ptr @reverse, ptr @forward, ptr @native]
declare void @f(ptr, ptr, i32)
declare void @native(ptr, ptr, i32)
declare ptr @augmented(ptr, ptr, ptr, ptr, i32, i64)
declare void @reverse(ptr, ptr, ptr, ptr, i32, i64, ptr)
declare void @forward(ptr, ptr, ptr, ptr, i32, i64, ptr)
"""
HANDLE = """
@__enzyme_register_handle_f = global [1 x ptr] [ptr @f]
declare ptr @f(i64, ptr, i32)
"""


def library(form: Form, arguments: str = "dup const const", directions: int = 1) -> list[str]:
    return built(LIBRARY, form, arguments, ResultActivity.NONE, directions=directions)


def test_a_pointer_is_followed_by_its_shadow_or_null() -> None:
    calls = [line for line in library(Form.AUGMENTED) if "@augmented(" in line]
    assert calls == ["%6 = call ptr @augmented(ptr %1, ptr %2, ptr %3, ptr null, i32 %4, i64 0)"]


def test_the_tape_lives_as_long_as_the_arena() -> None:
    assert any("@__ez_defer_free" in line and "@free" in line for line in library(Form.AUGMENTED))


def test_each_direction_is_one_adjoint_and_one_tape_serves_all() -> None:
    assert sum("@reverse(" in line for line in library(Form.REVERSE, directions=2)) == 2
    assert sum("@augmented(" in line for line in library(Form.AUGMENTED, directions=2)) == 1


def test_forward_mode_frees_the_tape_at_once() -> None:
    found = "\n".join(library(Form.TANGENT))
    assert found.index("@augmented(") < found.index("@forward(") < found.index("@free(")


@pytest.mark.parametrize("form", [Form.AUGMENTED, Form.TANGENT])
def test_a_handle_is_asked_for_once_for_memory_and_once_for_shadows(form: Form) -> None:
    found = built(HANDLE, form, "const dup const", ResultActivity.SHADOW)
    calls = [line for line in found if "@f(" in line]
    assert len(calls) == 2
    assert "select i1" in "\n".join(found)


def test_forms_that_need_both_halves_are_made_of_them() -> None:
    assert Form.COMBINED not in library_derivatives.BUILDERS
    assert Form.COMBINED not in handles.BUILDERS
