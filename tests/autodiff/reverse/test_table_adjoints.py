"""Adjoints by the rules table, in the text of gradients."""

from __future__ import annotations

import pytest

from tests.autodiff.jit import Compiled
from tests.autodiff.sweeps import derivative

ONE = """
declare double @sin(double)
declare double @llvm.vector.reduce.fadd.v2f64(double, <2 x double>)
declare double @llvm.vector.reduce.fmul.v2f64(double, <2 x double>)
declare {{ double, double }} @llvm.sincos.f64(double)
define double @f(double %x) {{
  {}
  ret double %y
}}
"""
GRADIENT = """
declare double @__enzyme_autodiff(...)
define double @gradient(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
"""
PAIR = "%v = insertelement <2 x double> <double 3.0, double 3.0>, double %x, i32 0\n  "


@pytest.mark.parametrize(
    "code, slope",
    [
        ("%y = fdiv double 1.0, %x", -0.25),
        (f"{PAIR}%y = call reassoc double @llvm.vector.reduce.fadd.v2f64(double %x, <2 x double> %v)", 2.0),
        (f"{PAIR}%y = call reassoc double @llvm.vector.reduce.fmul.v2f64(double 1.0, <2 x double> %v)", 3.0),
    ],
)
def test_arithmetic_and_reductions_have_the_partials_of_the_table(code: str, slope: float) -> None:
    assert Compiled(ONE.format(code) + GRADIENT).call("gradient", 2.0) == pytest.approx(slope)


def test_only_fields_that_are_used_contribute() -> None:
    both = "%s = call { double, double } @llvm.sincos.f64(double %x)\n  %y = extractvalue { double, double } %s, 0"
    lines = "\n".join(derivative(ONE.format(both), "out"))
    assert "cos" in lines


def test_a_partial_of_zero_adds_nothing() -> None:
    constant = derivative(ONE.format("%y = fsub double %x, %x\n  %z = frem double 4.0, %x"), "out")
    assert not any("fdiv" in line for line in constant)


def test_a_square_has_one_product_in_the_reverse_sweep() -> None:
    found = derivative(ONE.format("%y = fmul double %x, %x"), "out")
    assert sum("fmul" in line for line in found) == 2  # one is the primal's
    assert Compiled(ONE.format("%y = fmul double %x, %x") + GRADIENT).call("gradient", 3.0) == 6.0


@pytest.mark.parametrize(
    ("code", "is_guarded"),
    [
        ("%z = fmul double %x, 3.0", False),
        ("%z = call double @sin(double %x)", True),
        ("%z = call fast double @sin(double %x)", True),
    ],
)
def test_a_side_of_a_choice_is_guarded_unless_its_partial_is_finite(code: str, is_guarded: bool) -> None:
    """A finite partial times an adjoint of zero is zero."""
    chosen = f"{code}\n  %c = fcmp ogt double %x, 0.0\n  %y = select i1 %c, double %z, double 1.0"
    found = derivative(ONE.format(chosen), "out")
    assert any("fcmp oeq" in line for line in found) is is_guarded
