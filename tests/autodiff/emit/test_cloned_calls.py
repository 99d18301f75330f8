"""Calls of the primal that have no derivative: cloned, with the shadow of what they return, or refused."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.core.signature import Form
from enzyme_cc.report.diagnostics import EnzymeError
from tests.autodiff.sweeps import derivative

TEXT = """
declare ptr @memchr(ptr, i32, i64)
declare double @unknown(double)
define double @f(double %x, ptr %p, ptr %g) {{
  {body}
  ret double %y
}}
"""


def tangent(body: str, arguments: str = "dup dup const") -> list[str]:
    return derivative(TEXT.format(body=body), arguments, Form.TANGENT)


FOUND = "%q = call ptr @memchr(ptr %p, i32 1, i64 9)\n  store double %x, ptr %q\n  %y = load double, ptr %q"


def test_a_pointer_into_an_operand_has_a_shadow_at_the_same_distance_and_null_stays_null() -> None:
    found = tangent(FOUND)
    assert sum("@memchr(" in line for line in found) == 1
    assert any("getelementptr i8, ptr %3" in line for line in found)
    assert sum("select i1" in line and "ptr null" in line for line in found) > 1  # of the memory and of its shadow


def test_a_pointer_into_constant_memory_has_none() -> None:
    read = "%q = call ptr @memchr(ptr %p, i32 1, i64 9)\n  %k = load double, ptr %q\n  %y = fmul double %k, %x"
    assert sum("select i1" in line for line in tangent(read, "dup const const")) == 1


def test_an_active_call_of_a_function_without_a_body_is_refused() -> None:
    with pytest.raises(EnzymeError, match="EZ030"):
        tangent("%y = call double @unknown(double %x)")
    assert any(
        "@unknown(" in line for line in tangent("%k = call double @unknown(double 1.0)\n  %y = fmul double %k, %x")
    )
