"""What --enzyme-explain says about a gradient."""

from __future__ import annotations

from enzyme_cc.analysis.storage.store_or_recompute import Plan
from enzyme_cc.autodiff.reverse.explain import explain
from tests.autodiff.sweeps import analysed

TEXT = """
declare double @sin(double)
define double @f(double %x, double %c) {
  %y = call double @sin(double %x)
  %z = fmul double %c, %c
  %r = fadd double %y, %z
  ret double %r
}
"""


def test_each_active_instruction_is_told_with_its_rule() -> None:
    said = explain(analysed(TEXT, "out const"), ("f",), Plan())
    assert said.startswith("enzyme-cc: adjoint of f\n  2 active instructions\n")
    assert "sin" in said
    assert "fmul" not in said  # of constants


def test_the_calls_that_lead_to_a_derivative_are_told() -> None:
    assert "reached by: g calls f" in explain(analysed(TEXT, "out const"), ("g", "f"), Plan())
    assert "reached by" not in explain(analysed(TEXT, "out const"), ("f",), Plan())
