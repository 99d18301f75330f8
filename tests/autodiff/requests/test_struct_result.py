"""Functions that return a struct through a pointer to it, and requests for them."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.requests.reader import read_request
from enzyme_cc.autodiff.requests.request import Request, find_requests
from enzyme_cc.ir.module import Module
from enzyme_cc.report.diagnostics import EnzymeError

TEXT = """
%pair = type {{ double, double, double }}
%pairs = type {{ {held} }}
@enzyme_primal_return = external global i32
@enzyme_dup = external global i32
declare void @__enzyme_fwddiff(ptr sret(%pairs), ...)
define void @f(ptr sret(%pair) %r, double %x) {{
  store double %x, ptr %r
  ret void
}}
define void @g(ptr %out, double %x) {{
  call void (ptr, ...) @__enzyme_fwddiff(ptr sret(%pairs) %out, ptr @f, {flags}ptr @enzyme_dup, double %x, double 1.0)
  ret void
}}
"""


def read(held: str, flags: str = "") -> Request:
    module = Module.parse(TEXT.format(held=held, flags=flags))
    return read_request(module, find_requests(module)[0], frozenset(), lambda name: None)


def test_the_tangent_alone_lies_where_the_request_returns() -> None:
    result = read("%pair").arguments[0]
    assert [getattr(shadow, "name", "") for shadow in result.shadows] == ["out"]
    assert getattr(result.primal, "opcode", "") == "alloca"


def test_the_primal_lies_before_its_tangent() -> None:
    result = read("%pair, %pair", "ptr @enzyme_primal_return, ").arguments[0]
    assert getattr(result.primal, "name", "") == "out"
    assert [getattr(shadow, "opcode", "") for shadow in result.shadows] == ["getelementptr"]


def test_the_size_must_be_that_of_all_structs() -> None:
    with pytest.raises(EnzymeError, match="EZ0205"):
        read("%pair, %pair")
