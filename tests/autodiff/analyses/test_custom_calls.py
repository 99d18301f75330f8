"""Calls of functions with registered derivatives: a derivative must have a shadow to add to, or nothing to add."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.analyses.custom_calls import custom_problems
from tests.autodiff.sweeps import analysed

TEXT = """
@__enzyme_register_gradient_h = global [3 x ptr] [ptr @h, ptr @augmented, ptr @reverse]
@text = private constant [3 x i8] c"ab\\00"
declare double @h(double, ptr)
declare ptr @augmented(double, ptr, ptr)
declare double @reverse(double, ptr, ptr, double, ptr)
define double @f(double %x, ptr %p) {{
  {use}
  %y = call double @h(double %x, ptr {given})
  ret double %y
}}
"""
NUMBERS = "%k = load double, ptr %p"


def problems(given: str, arguments: str = "out const", use: str = "") -> list[str]:
    return [why for _, why in custom_problems(analysed(TEXT.format(given=given, use=use), arguments))]


def test_constant_memory_of_numbers_is_refused() -> None:
    (why,) = problems("%p", use=NUMBERS)
    assert "argument 2 is a pointer without a shadow here" in why


def test_memory_with_a_shadow_is_not() -> None:
    assert problems("%p", "out dup", NUMBERS) == []


@pytest.mark.parametrize("given", ["null", "@text", "@h"])
def test_what_nothing_is_ever_added_to_is_its_own_shadow(given: str) -> None:
    assert problems(given) == []
