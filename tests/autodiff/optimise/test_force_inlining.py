"""Functions that are inlined because they are given unions: all of them, or as many as a budget allows."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.optimise.force_inlining import within_budget


def module(levels: int, calls: int) -> str:
    """Returns functions of which each calls the next one several times."""
    bodies = [
        f"define void @f{k}() {{\n" + f"  call void @f{k + 1}()\n" * calls + "  ret void\n}" for k in range(levels)
    ]
    return "\n".join([*bodies, f"define void @f{levels}() {{\n  ret void\n}}", ""])


@pytest.mark.parametrize("levels, calls, left_out", [(5, 2, False), (30, 4, True)], ids=["small", "exponential"])
def test_functions_are_inlined_within_a_budget(levels: int, calls: int, left_out: bool) -> None:
    names = {f"@f{k}" for k in range(1, levels + 1)}
    chosen = within_budget(module(levels, calls), names)
    assert chosen < names if left_out else chosen == names
    assert f"@f{levels}" in chosen


def test_a_recursion_ends() -> None:
    text = "define void @f() {\n  call void @g()\n  ret void\n}\ndefine void @g() {\n  call void @f()\n  ret void\n}\n"
    assert within_budget(text, {"@f", "@g"}) == {"@f", "@g"}
