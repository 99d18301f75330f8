"""No derivative tests memory for being unshadowed if all calls pass memory that a derivative made."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.autodiff import differentiate

_PROGRAM = """
@enzyme_runtime_activity = external global i32
@global = internal global [4 x double] zeroinitializer
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
declare noalias ptr @malloc(i64)
declare ptr @realloc(ptr, i64)

define internal void @square(ptr %p, i32 %n) noinline {{
  %behind = getelementptr double, ptr %p, i64 1
  %x = load double, ptr %p
  %y = fmul double %x, %x
  store double %y, ptr %p
  %end = icmp eq i32 %n, 0
  br i1 %end, label %done, label %again
again:
  %m = sub i32 %n, 1
  call void @square(ptr {again}, i32 %m)
  br label %done
done:
  ret void
}}

define internal double @f(ptr %given, double %x) noinline {{
  %local = alloca [4 x double]
  %heap = call ptr @malloc(i64 32)
  %next = getelementptr double, ptr %local, i64 1
  store double %x, ptr %local
  store double %x, ptr %next
  store double %x, ptr %heap
  store double %x, ptr @global
  {more}
  call void @square(ptr {first}, i32 2)
  call void @square(ptr {second}, i32 2)
  %a = load double, ptr {first}
  %b = load double, ptr {second}
  %s = fadd double %a, %b
  ret double %s
}}

define double @g(ptr %x, ptr %d) {{
  %r = call double (...) {request}
  ret double %r
}}
"""
_REVERSE = "@__enzyme_autodiff(ptr @f, ptr @enzyme_runtime_activity, ptr %x, ptr %d, double 1.0)"
_FORWARD = "@__enzyme_fwddiff(ptr @f, ptr @enzyme_runtime_activity, ptr %x, ptr %d, double 1.0, double 1.0)"
_REALLOCATED = "%moved = call ptr @realloc(ptr %heap, i64 64)"


def _tests(request: str, first: str, second: str, *, again: str = "%p", more: str = "") -> int:
    """The number of comparisons of pointers in the derivatives of @square."""
    made = differentiate(_PROGRAM.format(request=request, first=first, second=second, again=again, more=more)).text
    bodies = re.findall(r"^define [^\n]*@__ez_\w+\.square[.\d]*\(.*?^\}", made, re.MULTILINE | re.DOTALL)
    assert bodies
    return sum(body.count(" icmp eq ptr ") for body in bodies)


@pytest.mark.parametrize("request_", [_REVERSE, _FORWARD], ids=["reverse", "forward"])
@pytest.mark.parametrize(
    ("first", "second"), [("%local", "%next"), ("%local", "%heap"), ("@global", "%heap"), ("%next", "%next")]
)
@pytest.mark.parametrize("again", ["%p", "%behind"])
def test_own_memory_is_not_tested(request_: str, first: str, second: str, again: str) -> None:
    assert _tests(request_, first, second, again=again) == 0


@pytest.mark.parametrize("request_", [_REVERSE, _FORWARD], ids=["reverse", "forward"])
@pytest.mark.parametrize(("first", "second"), [("%given", "%given"), ("%local", "%given"), ("%given", "@global")])
def test_memory_of_the_request_is_tested(request_: str, first: str, second: str) -> None:
    assert _tests(request_, first, second) > 0


@pytest.mark.parametrize("request_", [_REVERSE, _FORWARD], ids=["reverse", "forward"])
def test_reallocated_memory_is_tested(request_: str) -> None:
    """In forward mode, memory that was its own shadow stays so when it is moved."""
    assert _tests(request_, "%local", "%moved", more=_REALLOCATED) > 0
