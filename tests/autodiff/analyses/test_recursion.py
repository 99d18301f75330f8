"""Recursive calls are split, unless nothing but the function's result depends on their results."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.analyses.function_analyses import FunctionAnalyses
from enzyme_cc.autodiff.differentiate import differentiate
from tests.autodiff.sweeps import analysed

#: f calls g, g calls itself; `{use}` computes %s from the result %r of that call
PROGRAM = """
define internal double @g(double %x, double %c, i32 %n) noinline memory(none) {{
entry:
  %end = icmp eq i32 %n, 0
  br i1 %end, label %done, label %again
again:
  %m = sub i32 %n, 1
  %r = call double @g(double %x, double %c, i32 %m) memory(none)
  {use}
  %q = fmul double %x, %x
  %t = fadd double %s, %q
  br label %done
done:
  %result = phi double [ 0.0, %entry ], [ %t, %again ]
  ret double %result
}}

define double @f(double %x, double %c, i32 %n) {{
  %r = call double @g(double %x, double %c, i32 %n) memory(none)
  %y = fmul double %r, %r
  ret double %y
}}

declare double @llvm.fma.f64(double, double, double)
declare double @sin(double)
"""
SUMS = [
    "%s = fmul double %r, 0.5",
    "%s = fmul double %c, %r",
    "%s = fdiv double %r, %c",
    "%s = call double @llvm.fma.f64(double %c, double %r, double %x)",
    "%s = select i1 %end, double %r, double %x",
]
USES = [
    "%s = fmul double %r, %x",
    "%s = fmul double %r, %r",
    "%s = fdiv double %r, %x",
    "%s = call double @sin(double %r)",
    "%s = call double @llvm.fma.f64(double %x, double %r, double 0.0)",
    "%z = fcmp ogt double %r, 0.0\n  %s = select i1 %z, double %r, double %x",
]


def of_g(use: str) -> FunctionAnalyses:
    """The analyses of the derivative of g that f calls."""
    f = analysed(PROGRAM.format(use=use), "out const const")
    (call,) = (i for i in f.function.instructions() if i.opcode == "call")
    assert f.is_late(call)
    return FunctionAnalyses(f.round, f.call_signature(call), False, f.recursion)


@pytest.mark.parametrize(("use", "late"), [*((use, True) for use in SUMS), *((use, False) for use in USES)])
def test_recursion_is_late_if_its_results_are_only_summed(use: str, late: bool) -> None:
    g = of_g(use)
    (call,) = (i for i in g.function.instructions() if i.opcode == "call" and str(i.callee) == "@g")
    assert g.is_late(call) is late
    assert bool(g.sums_of_unneeded(call)) is late


def test_the_factor_of_a_result_may_be_active() -> None:
    text = PROGRAM.format(use="%s = fmul double %c, %r")
    f = analysed(text, "out out const")
    (call,) = (i for i in f.function.instructions() if i.opcode == "call")
    g = FunctionAnalyses(f.round, f.call_signature(call), False, f.recursion)
    (call,) = (i for i in g.function.instructions() if i.opcode == "call")
    assert not g.is_late(call)


REQUEST = """
@enzyme_const = external global i32
declare double @__enzyme_autodiff(...)
define double @main(double %x, i32 %n) {
  %c = load i32, ptr @enzyme_const
  %d = call double (...) @__enzyme_autodiff(ptr @g, double %x, i32 %c, double 2.0, i32 %c, i32 %n)
  ret double %d
}
"""


@pytest.mark.parametrize("use", [SUMS[0], USES[0]])
def test_no_gradient_calls_the_primal_of_a_recursive_function(use: str) -> None:
    answered = differentiate(PROGRAM.format(use=use) + REQUEST).text
    gradient = answered[answered.index("define internal { double } @__ez_gradient.g(") :].split("\n}\n")[0]
    assert "call double @g(" not in gradient
