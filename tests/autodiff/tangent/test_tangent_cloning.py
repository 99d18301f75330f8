"""Shadows of values that are made of constants, or hold numbers and pointers: what forward mode has beside them."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.core.signature import Form
from tests.autodiff.sweeps import derivative


def tangent(body: str, arguments: str = "dup dup", *, asks: bool = False) -> list[str]:
    text = f"define double @f(double %x, ptr %p) {{\n{body}\n  ret double %v\n}}"
    return derivative(text, arguments, Form.TANGENT, asks=asks)


def test_a_constant_number_has_tangent_zero() -> None:
    assert "store double 0x0000000000000000, ptr %3" in tangent("store double 2.0, ptr %p\n%v = load double, ptr %p")


def test_a_partial_times_a_tangent_is_added() -> None:
    found = tangent("%v = fmul double %x, %x", "dup const")
    assert sum("fmul" in line for line in found) == 3
    assert sum("fadd" in line for line in found) == 1


def test_what_does_not_depend_on_the_argument_has_no_tangent() -> None:
    found = tangent("%k = fmul double 2.0, 3.0\n%v = fmul double %k, %x", "dup const")
    assert sum("fmul" in line for line in found) == 3


#: an integer of which nothing is known is moved from one place to another
MOVED = "%q = getelementptr i8, ptr %p, i64 8\n%w = load i64, ptr %q\nstore i64 %w, ptr %p\n%v = load double, ptr %p"


@pytest.mark.parametrize("asks", [False, True])
def test_a_moved_word_takes_its_tangent_along(asks: bool) -> None:
    found = tangent(MOVED, asks=asks)
    assert sum("load i64" in line for line in found) == 2
    assert sum(line.startswith("store i64") for line in found) == 2


def test_a_vector_sums_over_its_lanes() -> None:
    body = """%a = insertelement <2 x double> zeroinitializer, double %x, i64 0
  %b = insertelement <2 x double> %a, double %x, i64 1
  %v = call double @llvm.vector.reduce.fadd.v2f64(double 0.0, <2 x double> %b)"""
    text = f"""declare double @llvm.vector.reduce.fadd.v2f64(double, <2 x double>)
define double @f(double %x) {{
  {body}
  ret double %v
}}"""
    assert sum("@llvm.vector.reduce.fadd" in line for line in derivative(text, "dup", Form.TANGENT)) == 2
