"""Integer arguments of calls: one that nothing takes for a pointer has no shadow, whatever memory it comes from."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.autodiff import differentiate
from tests.autodiff.jit import Compiled

#: f(p) = x[0] + 2 x[1] for the array x that p points at: the word there is loaded as a pointer and as an integer
PROGRAM = """
@enzyme_dup = external global i32
@enzyme_const = external global i32
declare void @__enzyme_autodiff(...)

define internal double @at(ptr %x, i64 %k) noinline {
  %q = getelementptr double, ptr %x, i64 %k
  %r = load double, ptr %q, !tbaa !0
  ret double %r
}

define internal double @f(ptr %p, ptr %g) noinline {
  %x = load ptr, ptr %p
  %bits = load i64, ptr %p
  %is_one = icmp eq i64 %bits, 1
  %zero = select i1 %is_one, i64 %bits, i64 0
  %a = call double CALLEE(ptr %x, i64 %zero)
  %b = call double CALLEE(ptr %x, i64 1)
  %c = fmul double %b, 2.0
  %r = fadd double %a, %c
  ret double %r
}

define double @derivative(i64 %k) {
  %x = alloca [2 x double], align 16
  %shadow = alloca [2 x double], align 16
  store [2 x double] zeroinitializer, ptr %x
  store [2 x double] zeroinitializer, ptr %shadow
  %p = alloca ptr
  %d = alloca ptr
  store ptr %x, ptr %p
  store ptr %shadow, ptr %d
  %dup = load i32, ptr @enzyme_dup
  %const = load i32, ptr @enzyme_const
  call void (...) @__enzyme_autodiff(ptr @f, i32 %dup, ptr %p, ptr %d, i32 %const, ptr @at)
  %q = getelementptr double, ptr %shadow, i64 %k
  %r = load double, ptr %q
  ret double %r
}

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2}
!2 = !{!"root"}
"""


@pytest.mark.parametrize("callee", ["@at", "%g"])
def test_calls_that_differ_in_integers_pass_the_same_shadows(callee: str) -> None:
    made = differentiate(PROGRAM.replace("CALLEE", callee)).text
    parameters = re.findall(r"^define .*@__ez_(?:gradient|reverse)\.at[.\d]*(\([^)]*\))", made, re.MULTILINE)
    assert len(set(parameters)) == 1


@pytest.mark.parametrize("callee", ["@at", "%g"])
def test_their_derivative_is_right(callee: str) -> None:
    compiled = Compiled(PROGRAM.replace("CALLEE", callee))
    assert [compiled.call("derivative", k) for k in (0, 1)] == [1, 2]
