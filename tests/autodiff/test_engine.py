"""The search for active globals: which functions are differentiated, and which globals need shadows."""

from __future__ import annotations

from enzyme_cc.analysis.activity.activity import ArgumentActivity
from enzyme_cc.autodiff.engine import explore

from .rounds import DOUBLE, prepared, signature

PROGRAM = f"""
@kept = internal global double 0.0
@count = internal global i64 0

define internal double @square(double %x) {{
  %r = fmul double %x, %x
  ret double %r
}}
define internal double @half() {{
  %r = load double, ptr @kept{DOUBLE}
  ret double %r
}}
define internal double @unused(double %x) {{
  ret double %x
}}
define double @f(double %x) {{
  %y = call double @half()
  store i64 1, ptr @count
  store double %x, ptr @kept{DOUBLE}
  %z = call double @square(double %x)
  %r = fadd double %y, %z
  ret double %r
}}
"""


def test_functions_are_reached_by_active_calls() -> None:
    explored = explore(prepared(PROGRAM), [signature("@f", ArgumentActivity.OUT)])
    assert explored.differentiated == {"@f", "@half", "@square"}


def test_a_global_that_is_given_an_active_number_is_active() -> None:
    explored = explore(prepared(PROGRAM), [signature("@f", ArgumentActivity.OUT)])
    assert explored.state.active_globals == {"@kept"}


def test_without_an_active_argument_nothing_is_active() -> None:
    explored = explore(prepared(PROGRAM), [signature("@f", ArgumentActivity.CONST)])
    assert explored.differentiated == {"@f"}
    assert not explored.state.active_globals


def test_another_search_begins_with_what_is_known() -> None:
    known = explore(prepared(PROGRAM), [signature("@f", ArgumentActivity.OUT)]).state
    explored = explore(prepared(PROGRAM), [signature("@f", ArgumentActivity.CONST)], known)
    assert explored.state == known
    assert explored.differentiated == {"@f", "@half"}
