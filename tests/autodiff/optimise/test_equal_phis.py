"""Phis of one value that several predecessors compute."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.optimise.equal_phis import replace_equal_phis
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.verify import verify_function

TEXT = """
define i64 @f(i64 %i, i64 %n, i1 %some) {{
entry:
  %a = or disjoint i64 %i, 1
  %p = mul i64 %a, %n
  %b = or disjoint i64 %i, 1
  br i1 %some, label %left, label %right
left:
  %l = {left}
  br label %out
right:
  %r = mul i64 %b, %n
  br label %out
out:
  %x = phi i64 [ {taken}, %left ], [ %r, %right ]
  ret i64 %x
}}
"""
LOOP = """
define i64 @f(i64 %i, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = add i64 %i, %n
  %b = add i64 %i, %n
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, 9
  switch i64 %next, label %loop [
    i64 9, label %out
    i64 7, label %other
  ]
other:
  %ended = phi i64 [ %b, %loop ]
  br label %out
out:
  %x = phi i64 [ %a, %loop ], [ %ended, %other ]
  ret i64 %x
}
"""


def result(text: str) -> str:
    """What f returns after the pass: the name of a value."""
    function = Module.parse(text).body("@f")
    replace_equal_phis(function)
    verify_function(function, "replace_equal_phis")
    return next(i for i in function.instructions() if i.opcode == "ret").operands[0].name


def test_what_is_computed_before_the_branch_replaces_the_phi() -> None:
    assert result(TEXT.format(left="mul i64 %a, %n", taken="%p")) == "p"


@pytest.mark.parametrize("left", ["mul nsw i64 %a, %n", "mul i64 %n, %a", "add i64 %a, %n", "freeze i64 %a"])
def test_other_computations_keep_their_phi(left: str) -> None:
    assert result(TEXT.format(left=left, taken="%l")) == "x"


def test_a_value_that_does_not_reach_the_phi_does_not_replace_it() -> None:
    assert result(TEXT.format(left="mul i64 %a, %n", taken="%l")) == "x"


def test_values_leave_loops_through_phis_only() -> None:
    assert result(LOOP) == "x"
