"""Requests look at pointers in globals when they begin, and record them when they end."""

from __future__ import annotations

from enzyme_cc.autodiff.core.options import Options
from enzyme_cc.autodiff.differentiate import differentiate

from ..rounds import DOUBLE, POINTER, TBAA

#: f(p) writes 3 * *p to the memory that @buffer points at
PROGRAM = f"""
@buffer = internal global ptr null
@enzyme_dup = external global i32
declare void @__enzyme_autodiff(...)

define double @f(ptr %p) noinline {{
  %b = load ptr, ptr @buffer{POINTER}
  %x = load double, ptr %p{DOUBLE}
  %y = fmul double %x, 3.0
  store double %y, ptr %b{DOUBLE}
  %r = load double, ptr %b{DOUBLE}
  ret double %r
}}
define void @g(ptr %p, ptr %shadow) {{
  store ptr %p, ptr @buffer{POINTER}
  %dup = load i32, ptr @enzyme_dup
  call void (...) @__enzyme_autodiff(ptr @f, i32 %dup, ptr %p, ptr %shadow)
  ret void
}}
{TBAA}
"""
TEXT = differentiate(PROGRAM, Options(verify=True)).text


def test_a_request_finds_shadows_first_and_records_pointers_last() -> None:
    request = TEXT[TEXT.index("define void @g(") :].split("\n}\n")[0]
    steps = ("@__ez_foreign_settle", "@__ez_gradient.f", "@__ez_foreign_remember")
    places = [request.index(step) for step in steps]
    assert places == sorted(places)


def test_the_derivative_loads_the_shadow_of_the_pointer_from_the_shadow_of_the_global() -> None:
    derivative = TEXT[TEXT.index("@__ez_gradient.f(", TEXT.index("define internal")) :]
    assert "load ptr, ptr @buffer_shadow" in derivative
