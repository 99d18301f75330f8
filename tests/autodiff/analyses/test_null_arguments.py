"""A call that passes null shares the derivative of a call that passes memory with a shadow."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.autodiff import differentiate

_PROGRAM = """
declare double @__enzyme_autodiff(...)
define internal double @bound(ptr %x, ptr %y) noinline {{
  %none = icmp eq ptr %y, null
  %a = load double, ptr %x
  br i1 %none, label %done, label %more
more:
  %b = load double, ptr %y
  %c = fmul double %a, %b
  br label %done
done:
  %r = phi double [ %a, %0 ], [ %c, %more ]
  %s = fmul double %r, %r
  ret double %s
}}
@fixed = internal constant double 2.0
define internal double @f(ptr %x) noinline {{
  %y = getelementptr double, ptr %x, i64 1
  %a = call double @bound(ptr %x, ptr {first})
  %b = call double @bound(ptr %x, ptr {second})
  %c = fadd double %a, %b
  ret double %c
}}
define double @g(ptr %x, ptr %d) {{
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %d)
  ret double %r
}}
"""


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [("null", "%y", 1), ("%y", "null", 1), ("null", "@fixed", 1), ("@fixed", "%y", 2), ("null", "null", 1)],
)
def test_null_needs_no_derivative_of_its_own(first: str, second: str, count: int) -> None:
    made = differentiate(_PROGRAM.format(first=first, second=second)).text
    assert len(re.findall(r"^define .*@__ez_(?:gradient|reverse)\.bound", made, re.MULTILINE)) == count
