"""Calls and instructions that are refused before a derivative is made, and what is said of them."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.analyses.function_checks import check, refused_calls
from enzyme_cc.autodiff.analyses.refusals import refusal
from enzyme_cc.report.diagnostics import EnzymeError

from ..rounds import complete
from ..sweeps import analysed

CALLS = """
declare double @native(double)
declare double @llvm.unknown.f64(double)
define double @f(double %x, ptr %p) {{
  {}
  ret double %x
}}
"""


@pytest.mark.parametrize(
    "line, id_",
    [
        ("%y = call double @native(double %x)", "EZ0302"),
        ('%y = call double asm "", "=x,x"(double %x)', "EZ0301"),
        ("%y = call double (...) %p(double %x)", "EZ0305"),
        ("%y = call double @llvm.unknown.f64(double %x)", "EZ0304"),
        ("%y = fadd double %x, 1.0", "EZ0304"),
    ],
)
def test_each_kind_of_callee_has_its_diagnostic(line: str, id_: str) -> None:
    round = complete(CALLS.format(line))
    function = round.source.body("@f")
    i = next(i for i in function.instructions() if i.name == "y")
    (diagnostic,) = refusal(round, function, i).diagnostics
    assert (diagnostic.id, diagnostic.function) == (id_, "f")


def test_a_reason_may_be_given() -> None:
    round = complete(CALLS.format("%y = fadd double %x, 1.0"))
    function = round.source.body("@f")
    (diagnostic,) = refusal(round, function, function.entry.instructions[0], "of the weather").diagnostics
    assert diagnostic.reason == "of the weather"


UNKNOWN = """
declare double @native(double)
define double @f(double %x) {{
  %y = call double @native(double {})
  %z = fmul double %y, %x
  ret double %z
}}
"""


def test_a_call_without_bitcode_is_refused_if_it_is_active() -> None:
    analyses = analysed(UNKNOWN.format("%x"), "out")
    assert [d.id for d in refused_calls(analyses)] == ["EZ0302"]
    with pytest.raises(EnzymeError, match="EZ0302"):
        check(analyses)
    check(analysed(UNKNOWN.format("%x"), "const"))


#: g has a derivative of its own, and takes a pointer
CUSTOM = """
@__enzyme_register_derivative_g = global [2 x ptr] [ptr @g, ptr @tangent]
@__enzyme_register_gradient_g = global [3 x ptr] [ptr @g, ptr @augmented, ptr @reverse]
@numbers = constant [2 x double] zeroinitializer
@text = constant [2 x i8] c"a\\00"
declare double @g(double, ptr)
declare double @tangent(double, double, ptr, ptr)
declare double @augmented(double, ptr, ptr)
declare double @reverse(double, ptr, ptr, double)
define double @f(double %x, ptr %p) {{
  %before = load double, ptr %p
  %y = call double @g(double %x, ptr {})
  ret double %y
}}
"""


@pytest.mark.parametrize("memory, is_refused", [("%p", True), ("@numbers", False), ("null", False), ("@text", False)])
def test_constant_memory_of_a_registered_derivative_must_hold_no_numbers(memory: str, is_refused: bool) -> None:
    analyses = analysed(CUSTOM.format(memory), "out const")
    if not is_refused:
        check(analyses)
        return
    with pytest.raises(EnzymeError, match="argument 2 is a pointer without a shadow"):
        check(analyses)
