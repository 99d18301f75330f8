"""Calls under a condition of functions without bitcode move to functions of their own."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.callees import Callees, DeclaredFunctions
from enzyme_cc.autodiff.requests.conditional_calls import separate_conditional_calls
from enzyme_cc.ir.module import Module

TEXT = """
declare double @unknown(double)
declare double @sin(double)
define double @f(double %x, i1 %c) {{
entry:
  {always}
  br i1 %c, label %some, label %end
some:
  {sometimes}
  br label %end
end:
  ret double %x
}}
"""
CALL = "%{name} = call double @{callee}(double %x)"


def separated(always: str = "", sometimes: str = "", native: frozenset[str] = frozenset()) -> list[str]:
    module = Module.parse(TEXT.format(always=always, sometimes=sometimes))
    callees = Callees(module, DeclaredFunctions(native_functions=native))
    made = separate_conditional_calls(callees, module.body("@f"))
    return [i.callee_name for function in made for i in function.instructions() if i.opcode == "call"]


def test_a_call_that_may_never_be_made_moves() -> None:
    assert separated(sometimes=CALL.format(name="y", callee="unknown")) == ["@unknown"]


def test_a_call_that_is_always_made_stays() -> None:
    assert separated(always=CALL.format(name="y", callee="unknown")) == []


@pytest.mark.parametrize("callee, native", [("sin", ""), ("unknown", "@unknown")])
def test_a_function_with_a_rule_or_one_that_the_link_left_out_stays(callee: str, native: str) -> None:
    call = CALL.format(name="y", callee=callee)
    assert separated(sometimes=call, native=frozenset([native])) == []
