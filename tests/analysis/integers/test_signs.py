"""Integers that are never smaller than some number, whatever runs."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.integers.signs import Direction, at_least, direction
from tests.ir.llvm_check import parsed

CASES = {
    "a widened unsigned": ("%r = zext i32 %k to i64", True),
    "a widened signed": ("%r = sext i32 %k to i64", False),
    "a remainder by an unknown": ("%z = zext i32 %k to i64\n%r = srem i64 %z, %n", True),
    "a masked number": ("%r = and i64 %n, 255", True),
    "a shifted number": ("%r = lshr i64 %n, 1", True),
    "a sum that cannot wrap": ("%z = zext i32 %k to i64\n%r = add nsw i64 %z, 3", True),
    "a sum that may wrap": ("%z = zext i32 %k to i64\n%r = add i64 %z, 3", False),
    "a difference": ("%z = zext i32 %k to i64\n%r = sub nsw i64 %z, 3", False),
    "a maximum with zero": ("%r = call i64 @llvm.smax.i64(i64 %n, i64 0)", True),
    "a minimum with zero": ("%r = call i64 @llvm.smin.i64(i64 %n, i64 0)", False),
}


@pytest.mark.parametrize("name", CASES)
def test_is_not_negative(name: str) -> None:
    body, expected = CASES[name]
    header = "declare i64 @llvm.smax.i64(i64, i64)\ndeclare i64 @llvm.smin.i64(i64, i64)\n"
    f = parsed(f"{header}define i64 @f(i64 %n, i32 %k) {{\n{body}\nret i64 %r\n}}\n").body("@f")
    assert at_least(f.entry.terminator.operands[0], 0) == expected


def test_a_counter_that_starts_at_zero_and_goes_up() -> None:
    text = """
define i64 @f(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret i64 %i
}
"""
    f = parsed(text).body("@f")
    (i,) = f.blocks[1].phis
    assert at_least(i, 0) and not at_least(i, 1)
    g = parsed(text.replace("add nsw", "add")).body("@f")
    assert not at_least(g.blocks[1].phis[0], 0)


DIRECTIONS = {
    "a count": ("%r = zext i32 %k to i64", Direction.FORWARDS),
    "an unknown number": ("%r = add i64 %n, 0", Direction.EITHER),
    "a count that is subtracted": ("%z = zext i32 %k to i64\n%r = sub i64 0, %z", Direction.BACK),
    "a count times -1": ("%z = zext i32 %k to i64\n%r = mul i64 %z, -1", Direction.BACK),
    "a difference of unknown numbers": ("%z = sext i32 %k to i64\n%r = sub i64 %n, %z", Direction.EITHER),
    "one of two constants": ("%c = icmp eq i64 %n, 0\n%r = select i1 %c, i64 -1, i64 %n", Direction.BACK),
}


@pytest.mark.parametrize("name", DIRECTIONS)
def test_where_an_index_leads(name: str) -> None:
    body, expected = DIRECTIONS[name]
    f = parsed(f"define i64 @f(i64 %n, i32 %k) {{\n{body}\nret i64 %r\n}}\n").body("@f")
    assert direction([f.entry.terminator.operands[0]]) is expected
