"""An estimate is the gradient of a copy whose operations tell their rounding errors."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.core.options import Options
from enzyme_cc.autodiff.variants.error_estimate import estimate_errors
from enzyme_cc.ir.module import Module
from enzyme_cc.report.diagnostics import EnzymeError

from .asking import body

MODULE = """
declare double @__enzyme_error_estimate(...)
declare double @sin(double)
declare double @fabs(double)
declare double @unknown(double)
declare double @cabs(double, double)
@enzyme_const = external constant i32
define {result} @f(double %x, i32 %n) {{
  {body}
}}
define double @g(double %x, i32 %n) {{
  %r = call double (...) @__enzyme_error_estimate(ptr @f, {arguments})
  ret double %r
}}
"""
GIVEN = "double %x, double 1.0e-10, i32 %n"


def estimated(code: str, arguments: str = GIVEN, result: str = "double", *, report: bool = False) -> str:
    module = Module.parse(MODULE.format(body=code, arguments=arguments, result=result))
    added = estimate_errors(module, Options(precision_report=report))
    return str(module) + added


def passed(code: str) -> list[str]:
    """What each operation of the copy calls behind it."""
    return [line for line in body(estimated(code), "f.with_errors") if "@__ez_rounded" in line]


def test_an_operation_that_rounds_tells_its_error_in_units() -> None:
    assert passed("%y = fmul double %x, %x\n  ret double %y") == [
        "%1 = call double @__ez_rounded.double(double %y, ptr %places, i32 1)"
    ]
    assert passed("%y = call double @sin(double %x)\n  ret double %y") == [
        "%1 = call double @__ez_rounded.double(double %y, ptr %places, i32 2)"
    ]


@pytest.mark.parametrize("exact", ["fneg double %x", "call double @fabs(double %x)", "sitofp i32 %n to double"])
def test_an_exact_operation_tells_nothing(exact: str) -> None:
    assert not passed(f"%y = {exact}\n  ret double %y")


def test_the_errors_of_arguments_count() -> None:
    text = estimated("ret double %x")
    assert body(text, "f.inexact")[0] == ("%y0 = call double @__ez_inexact.double(double %x0, ptr %places, double %d0)")
    assert "@__ez_inexact" not in estimated("ret double %x", "ptr @enzyme_const, double %x, i32 %n")


def test_a_report_prints_the_parts_of_lines() -> None:
    square = "%y = fmul double %x, %x\n  ret double %y"
    assert "@__ez_report_estimate" in "\n".join(body(estimated(square, report=True), "__ez_error_estimate.f"))
    assert "@__ez_report_estimate" not in estimated(square)


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(EnzymeError, match="EZ0215"):
        estimated("%y = call double @unknown(double %x)\n  ret double %y")


def test_a_function_without_a_number_as_its_result_is_refused() -> None:
    with pytest.raises(EnzymeError, match="EZ0203"):
        estimated("ret i32 %n", result="i32")
