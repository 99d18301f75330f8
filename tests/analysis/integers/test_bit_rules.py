"""The functions that stand for choices between integers."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.integers.bit_steps import COMPUTING, RULES, choice
from tests.ir.llvm_check import parsed


@pytest.mark.parametrize(("name", "order"), [("umin", "ult"), ("smax", "sgt"), ("ctpop", None)])
def test_a_minimum_is_a_choice(name: str, order: str | None) -> None:
    called = f"i64 @llvm.{name}.i64(i64"
    text = f"define i64 @f(i64 %a) {{\n%r = call {called} %a)\nret i64 %r\n}}\ndeclare {called})\n"
    assert choice(parsed(text).body("@f").entry.instructions[0]) == order


def test_what_computes_has_a_rule() -> None:
    assert {"phi", "bitcast"}.isdisjoint(COMPUTING) and RULES.keys() > COMPUTING
