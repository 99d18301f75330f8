"""Questions about keys of results that objects keep behind pointers."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.globals.kept_results import ask_about_keys
from enzyme_cc.ir.module import Module

from ..normalise.rewriting import body

#: f keeps x in the first number behind %h and its result in the second
PROGRAM = """
define double @f(ptr %h, double %x) {{
  %old = load double, ptr %h
  %same = {comparison}
  %place = getelementptr double, ptr %h, i64 1
  br i1 %same, label %kept, label %new
kept:
  %y = load double, ptr %place
  ret double %y
new:
  %again = load double, ptr %h
  %z = fmul double %x, {factor}
  store double {stored}, ptr {to}
  store double %z, ptr %place
  ret double %z
}}
"""


def questions(
    comparison: str = "fcmp oeq double %old, %x", factor: str = "%x", stored: str = "%x", to: str = "%h"
) -> list[str]:
    text = PROGRAM.format(comparison=comparison, factor=factor, stored=stored, to=to)
    module = Module.parse(text)
    ask_about_keys(module, [module.body("@f")])
    assert body(str(module))
    return [i.callee_name for i in module.body("@f").instructions() if i.opcode == "call"]


def test_a_number_that_is_compared_and_then_replaced_by_what_it_is_compared_with_is_a_key() -> None:
    assert questions() == ["@__ez_key_is_old", "@__ez_key_written"]


def test_an_old_key_is_unequal_to_all_arguments() -> None:
    module = Module.parse(PROGRAM.format(comparison="fcmp oeq double %old, %x", factor="%x", stored="%x", to="%h"))
    ask_about_keys(module, [module.body("@f")])
    comparison = next(i for i in module.body("@f").instructions() if i.opcode == "fcmp")
    chosen = comparison.operands[0]
    assert "select" in str(getattr(chosen, "opcode", ""))


@pytest.mark.parametrize(
    "changed",
    [
        {"comparison": "fcmp olt double %old, %x"},
        {"stored": "%z"},
        {"to": "%place"},
        {"factor": "%old"},
        {"factor": "%again"},
    ],
    ids=["ordered", "another number", "another place", "computed with", "loaded again and computed with"],
)
def test_what_is_ordered_or_not_replaced_by_the_same_number_is_no_key(changed: dict[str, str]) -> None:
    assert questions(**changed) == []
