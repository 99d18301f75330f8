"""Calls that only mark something are removed once everything is differentiated."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.requests.markings import drop_markings
from enzyme_cc.ir.module import Module
from enzyme_cc.report.diagnostics import EnzymeError

from ..normalise.rewriting import becomes

CUT = """
declare double @__enzyme_ignore_derivatives(double)
declare void @__enzyme_double(ptr, i64)
define double @f(ptr %p, double %x) {{
  call void @__enzyme_double(ptr %p, i64 8)
  %y = call double @__enzyme_ignore_derivatives({argument})
  ret double %y
}}
"""


def test_hints_go_and_a_cut_leaves_its_argument() -> None:
    becomes(lambda module, _: drop_markings(module), CUT.format(argument="double %x"), "ret double %x")


def test_a_cut_that_is_declared_with_another_type_converts_as_c_does() -> None:
    text = CUT.format(argument="float 1.0").replace("derivatives(double)", "derivatives(float)")
    becomes(
        lambda module, _: drop_markings(module),
        text,
        """
          %1 = fpext float 1.0 to double
          ret double %1
        """,
    )


def test_a_cut_of_two_values_is_refused() -> None:
    text = CUT.format(argument="double %x, double %x").replace("derivatives(double)", "derivatives(double, double)")
    with pytest.raises(EnzymeError, match="EZ0203"):
        drop_markings(Module.parse(text))
