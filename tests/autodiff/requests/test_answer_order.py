"""A request whose function makes requests waits for these."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.requests.answer_order import answer_order
from enzyme_cc.ir.module import Module
from enzyme_cc.report.diagnostics import EnzymeError

NESTED = """
declare double @__enzyme_autodiff(...)
define double @second(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @first, double %x)
  ret double %d
}
define double @first(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
define double @f(double %x) {
  ret double %x
}
"""


def test_the_inner_request_is_answered_first() -> None:
    assert answer_order(Module.parse(NESTED)).ready == [1]


def test_requests_that_wait_for_each_other() -> None:
    with pytest.raises(EnzymeError, match="EZ0210"):
        answer_order(Module.parse(NESTED.replace("ptr @f,", "ptr @second,")))
