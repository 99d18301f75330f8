"""The signatures of calls: forward mode passes tangents, and no shadow where the primal has none."""

from __future__ import annotations

from tests.autodiff.jit import Compiled

#: f(x, p) = x * *p, where x and p reach the product in one struct
PROGRAM = """
@enzyme_const = external global i32
declare double @{request}(...)

define internal double @product({{double, ptr}} %s) noinline {{
  %number = extractvalue {{double, ptr}} %s, 0
  %pointer = extractvalue {{double, ptr}} %s, 1
  %factor = load double, ptr %pointer, !tbaa !0
  %r = fmul double %number, %factor
  ret double %r
}}

define internal double @f(double %x, ptr %p) noinline {{
  %half = insertvalue {{double, ptr}} poison, double %x, 0
  %s = insertvalue {{double, ptr}} %half, ptr %p, 1
  %r = call double @product({{double, ptr}} %s)
  ret double %r
}}

define double @derivative(double %x) {{
  %p = alloca double
  store double 3.0, ptr %p, !tbaa !0
  %const = load i32, ptr @enzyme_const
  %r = call double (...) @{request}(ptr @f, {seeded}, i32 %const, ptr %p)
  ret double %r
}}

!0 = !{{!1, !1, i64 0}}
!1 = !{{!"double", !2}}
!2 = !{{!"root"}}
"""


def test_a_constant_pointer_beside_an_active_number_has_no_tangent() -> None:
    compiled = Compiled(PROGRAM.format(request="__enzyme_fwddiff", seeded="double %x, double 1.0"))
    assert compiled.call("derivative", 5.0) == 3


def test_reverse_mode_agrees() -> None:
    compiled = Compiled(PROGRAM.format(request="__enzyme_autodiff", seeded="double %x"))
    assert compiled.call("derivative", 5.0) == 3
