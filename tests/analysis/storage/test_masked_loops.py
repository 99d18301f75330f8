"""Loops whose reverse is left out if a select did not take their result."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.storage.masked_loops import Mask, masked_loops
from enzyme_cc.analysis.storage.reversal import Reversal
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Value

TEXT = """
define double @f(ptr %x, double %least) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %place = getelementptr double, ptr %x, i64 %i
  %value = load double, ptr %place
  %more = fadd double %sum, %value
  {inside}
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 10
  br i1 %done, label %out, label %loop
out:
  %result = phi double [ %more, %loop ]
  %less = fcmp olt double %result, %least
  %r = {select}
  {after}
  ret double %r
}}
"""
FIRST = "select i1 %less, double %result, double %least"
SECOND = "select i1 %less, double %least, double %result"


def masks(text: str) -> list[Mask]:
    """Returns the masks of a function in which all numbers are active."""
    function = Module.parse(text).body("@f")
    flow = ControlFlow(function)

    def active(value: Value) -> bool:
        return str(value.type) == "double"

    return list(masked_loops(flow, Reversal(function, flow, active), active).values())


def taken(select: str, inside: str = "", after: str = "") -> bool | None:
    return next((mask.taken for mask in masks(TEXT.format(select=select, inside=inside, after=after))), None)


@pytest.mark.parametrize(("select", "side"), [(FIRST, True), (SECOND, False)])
def test_a_select_masks_the_loop_before_it(select: str, side: bool) -> None:
    assert taken(select) is side


@pytest.mark.parametrize(
    ("select", "inside", "after"),
    [
        ("select i1 %less, double %result, double %result", "", ""),
        ("fadd double %result, %least", "", ""),
        (FIRST, "store double %value, ptr %place", ""),
        (FIRST, "", "store double %result, ptr %x"),
        (FIRST, "", "%again = fmul double %result, %result"),
    ],
)
def test_other_loops_are_not_masked(select: str, inside: str, after: str) -> None:
    assert taken(select, inside, after) is None


RUNNING = """
define double @f(ptr %x, double %first) {{
entry:
  br label %outer
outer:
  %k = phi i64 [ 0, %entry ], [ %following, %out ]
  %least = phi double [ %first, %entry ], [ %r, %out ]
  br label %loop
loop:
  %i = phi i64 [ 0, %outer ], [ %next, %loop ]
  %sum = phi double [ 0.0, %outer ], [ %more, %loop ]
  %place = getelementptr double, ptr %x, i64 %i
  %value = load double, ptr %place
  %more = fadd double %sum, %value
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 10
  br i1 %done, label %out, label %loop
out:
  %result = phi double [ %more, %loop ]
  %less = fcmp olt double %result, %least
  {inside}
  %r = select i1 %less, double %result, double {kept}
  %following = add i64 %k, 1
  %end = icmp eq i64 %following, 10
  br i1 %end, label %last, label %outer
last:
  %whole = phi double [ %r, %out ]
  %product = fmul double %whole, %whole
  ret double %product
}}
"""


@pytest.mark.parametrize(
    ("inside", "kept", "runs"),
    [
        ("", "%least", True),
        ("store double %least, ptr %x", "%least", False),
        ("%twice = fadd double %least, %least", "%twice", False),
    ],
)
def test_a_value_runs_through_the_loop_around(inside: str, kept: str, runs: bool) -> None:
    (mask,) = masks(RUNNING.format(inside=inside, kept=kept))
    assert (mask.around is not None) == runs
