"""Pointers that are compared with the memory that a request names, when the program runs."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.other_names import OtherNames

from .inputs import Input, names

#: %h is a constant handle, behind which a pointer lies
TEXT = """
@box = constant ptr null
declare void @log_it(double)
define double @use(ptr %q) {{
  %y = load double, ptr %q
  ret double %y
}}
define double @look(ptr %h) {{
  %p = load ptr, ptr %h
  %y = load double, ptr %p
  ret double %y
}}
define double @f(double %x, ptr %h, ptr %a) {{
  %p = load ptr, ptr {place}
  {code}
  %r = fmul double %x, %y
  ret double %r
}}
"""


def compared(code: str, place: str = "%h") -> set[str]:
    f = Input(TEXT.format(code=code, place=place), "out const dup")
    other = OtherNames(f.activity.callees, f.carriers, ["@f", "@use", "@look"], ["@f"])
    return names(other.of(f.activity))


@pytest.mark.parametrize(
    "code",
    [
        "%y = load double, ptr %p",
        "%q = getelementptr double, ptr %p, i64 3\n  %y = load double, ptr %q",
        "%y = call double @use(ptr %p)",
        "store double %x, ptr %p\n  %y = fadd double %x, %x",
    ],
)
def test_a_pointer_from_constant_memory_by_which_numbers_are_used_is_compared(code: str) -> None:
    assert compared(code) == {"p"}


@pytest.mark.parametrize(
    "code",
    [
        "%c = icmp eq ptr %p, null\n  %y = select i1 %c, double %x, double 2.0",
        "%k = load i32, ptr %p\n  %y = sitofp i32 %k to double",
        "%v = load double, ptr %p\n  %c = fcmp olt double %v, 1.0\n  %y = select i1 false, double %x, double 2.0",
    ],
)
def test_a_pointer_by_which_no_number_reaches_a_derivative_is_not(code: str) -> None:
    assert not compared(code)


@pytest.mark.parametrize("place", ["%a", "@box"])
def test_a_pointer_with_a_shadow_or_out_of_a_constant_is_not(place: str) -> None:
    assert not compared("%y = load double, ptr %p", place)


def test_a_function_that_no_derivative_goes_into_is_copied_if_it_follows_such_pointers() -> None:
    f = Input(TEXT.format(code="%y = call double @look(ptr %h)", place="%h"), "out const dup")
    other = OtherNames(f.activity.callees, f.carriers, ["@f", "@use", "@look"], ["@f"])
    assert other.is_copied("@look")
    assert not other.is_copied("@use")
