"""Whether requests pass the same memory as two arguments."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.requests.passed_memory import PassedMemory
from enzyme_cc.autodiff.requests.reader import read_request
from enzyme_cc.autodiff.requests.request import find_requests
from enzyme_cc.ir.module import Module

TEXT = """
@enzyme_const = external global i32
@place = global double 0.0
declare ptr @malloc(i64)
declare double @__enzyme_autodiff(...)
define double @f(double %x, ptr %p, ptr %q) {{
  ret double %x
}}
define double @g(double %x, ptr %given, ptr %other) {{
  %own = alloca double
  %new = call ptr @malloc(i64 8)
  %part = getelementptr i8, ptr %given, i64 8
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x, ptr @enzyme_const, ptr {a}, ptr @enzyme_const, ptr {b})
  ret double %d
}}
"""


def may_be_same(a: str, b: str) -> bool:
    module = Module.parse(TEXT.format(a=a, b=b))
    request = read_request(module, find_requests(module)[0], frozenset(), lambda name: None)
    return PassedMemory(module, [request]).may_be_same(request.signature, 1, 2)


@pytest.mark.parametrize("pair", ["%own %new", "%own %given", "%new @place", "%own @place"])
def test_memory_of_the_caller_is_no_other_memory(pair: str) -> None:
    assert not may_be_same(*pair.split())


@pytest.mark.parametrize("pair", ["%own %own", "%given %part", "%given %other", "%given @place"])
def test_one_memory_and_memory_from_outside_may_be_the_same(pair: str) -> None:
    assert may_be_same(*pair.split())
