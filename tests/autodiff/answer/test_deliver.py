"""The value of a request is delivered in the type that the caller declares."""

from __future__ import annotations

import pytest

from enzyme_cc.report.diagnostics import EnzymeError

from .answered import answered, body

#: f(x, y) = x * y has two derivatives
PRODUCT = """
define double @f(double %x, double %y) noinline {
  %r = fmul double %x, %y
  ret double %r
}
"""
REQUEST = """
declare TYPE @__enzyme_autodiff(...)
define TYPE @g(double %x, double %y) {
  %d = call TYPE (...) @__enzyme_autodiff(ptr @f, double %x, double %y)
  ret TYPE %d
}
"""


def delivered(type_: str) -> str:
    return body(answered(PRODUCT + REQUEST.replace("TYPE", type_)))


@pytest.mark.parametrize("type_", ["{ double, double }", "<2 x double>", "[2 x double]"])
def test_two_numbers_are_returned_in_any_type_of_their_bytes(type_: str) -> None:
    g = delivered(type_)
    assert g.count("store double") == 2
    assert f"load {type_}, ptr" in g


def test_a_type_of_another_size_is_refused() -> None:
    with pytest.raises(EnzymeError, match="returns 2 values, 16 bytes") as error:
        delivered("{ double, double, double }")
    assert error.value.diagnostics[0].id == "EZ0205"


def test_a_struct_in_memory_is_stored_through_its_pointer() -> None:
    text = """
    declare void @__enzyme_autodiff(...)
    define void @g(ptr %out, double %x, double %y) {
      call void (...) @__enzyme_autodiff(ptr sret({ double, double }) %out, ptr @f, double %x, double %y)
      ret void
    }
    """
    g = body(answered(PRODUCT + text))
    assert "ptr %out" in g
    assert g.count("store double") == 2
