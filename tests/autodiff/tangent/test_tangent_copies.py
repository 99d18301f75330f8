"""Copies and reallocations in forward mode: each is made in shadow memory too."""

from __future__ import annotations

from enzyme_cc.autodiff.core.signature import Form
from tests.autodiff.sweeps import derivative

DECLARED = """
declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare ptr @mempcpy(ptr, ptr, i64)
"""


def tangent(body: str, arguments: str = "dup dup") -> list[str]:
    text = f"{DECLARED}\ndefine double @f(double %x, ptr %p) {{\n{body}\n  ret double %v\n}}"
    return derivative(text, arguments, Form.TANGENT)


def test_memory_that_the_function_has_made_is_reallocated_twice() -> None:
    body = "%m = call ptr @malloc(i64 8)\nstore double {}, ptr %m\n%n = call ptr @realloc(ptr %m, i64 16)\n"
    read = "%k = load double, ptr %n\n%v = fmul double %k, %x"
    assert sum("@realloc(" in line for line in tangent(body.format("%x") + read)) == 2
    assert sum("@realloc(" in line for line in tangent(body.format("1.0") + read)) == 1


def test_the_end_of_a_copy_has_a_shadow_at_the_same_distance() -> None:
    body = "%e = call ptr @mempcpy(ptr %p, ptr %p, i64 8)\nstore double %x, ptr %e\n%v = load double, ptr %e"
    found = tangent(body)
    assert any("getelementptr" in line and line.endswith("ptr %3, i64 8") for line in found)
    assert not any("ptr %3, i64 8" in line for line in tangent("%v = load double, ptr %p"))


def test_constant_memory_is_copied_once() -> None:
    body = "%e = call ptr @mempcpy(ptr %p, ptr %p, i64 8)\n%k = load double, ptr %e\n%v = fmul double %k, %x"
    assert sum("@mempcpy(" in line for line in tangent(body, "dup const")) == 1
    assert sum("@mempcpy(" in line for line in tangent(body)) == 2
