"""Loops that ask whether memory is its own shadow have a version that does not."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.autodiff.core.signature import Form
from tests.autodiff.sweeps import derivative

#: y[i] = x[i]², where the pointers are members of a struct
LOOP = """
define double @f(ptr %s, i64 %n) {{
entry:
  %xs = load ptr, ptr %s!P
  %at = getelementptr ptr, ptr %s, i64 1
  %ys = load ptr, ptr %at!P
  br label %outer
outer:
  %k = phi i64 [ 0, %entry ], [ %l, %latch ]
  br label %loop
loop:
  %i = phi i64 [ 0, %outer ], [ %j, %loop ]
  %sum = phi double [ 0.0, %outer ], [ %total, %loop ]
  {inside}
  %p = getelementptr double, ptr {x}, i64 %i
  %a = load double, ptr %p!D
  %b = fmul double %a, %a
  %q = getelementptr double, ptr %ys, i64 %i
  store double %b, ptr %q!D
  %total = fadd double %sum, %a
  %j = add i64 %i, 1
  %more = icmp slt i64 %j, %n
  br i1 %more, label %loop, label %latch
latch:
  {behind}
  %l = add i64 %k, 1
  %again = icmp slt i64 %l, %n
  br i1 %again, label %outer, label %done
done:
  ret double %total
}}
declare void @unknown()
"""
TBAA = """
!0 = !{!"root"}
!1 = !{!"char", !0}
!2 = !{!"double", !1}
!3 = !{!2, !2, i64 0}
!4 = !{!"any pointer", !1}
!5 = !{!4, !4, i64 0}
"""
TEST = re.compile(r"(%\d+) = icmp eq ptr %\d+, %\d+$")


def lines(form: Form, *, inside: str = "", x: str = "%xs", behind: str = "", asks: bool = True) -> list[str]:
    text = LOOP.format(inside=inside, x=x, behind=behind) + TBAA
    text = text.replace("!D", ", !tbaa !3").replace("!P", ", !tbaa !5")
    return derivative(text, "dup const", form, asks=asks)


def versions(found: list[str]) -> int:
    """Returns how many branches choose between versions: those on the disjunction of tests, or on one test."""
    tests = {match[1] for line in found if (match := TEST.match(line))}
    either = {line.split(" = ")[0] for line in found if " = or i1 " in line and tests & set(re.findall(r"%\d+", line))}
    return sum(line.startswith("br i1 ") and line.split()[2].rstrip(",") in tests | either for line in found)


@pytest.mark.parametrize("form", [Form.COMBINED, Form.REVERSE, Form.TANGENT])
def test_a_loop_has_two_versions(form: Form) -> None:
    assert versions(lines(form)) == 1


def test_a_loop_has_one_version_if_nothing_is_asked() -> None:
    assert versions(lines(Form.COMBINED, asks=False)) == 0


def test_what_is_asked_anew_in_each_iteration_is_asked_there() -> None:
    inside = "%cell = getelementptr ptr, ptr %s, i64 %i\n  %each = load ptr, ptr %cell!P"
    found = lines(Form.TANGENT, inside=inside, x="%each")
    assert versions(found) == 1  # the answer for what is stored is the same in each iteration


def test_the_outermost_loop_has_versions_whose_answers_stay_the_same() -> None:
    found = lines(Form.TANGENT, behind="call void @unknown()")
    assert sum("@unknown" in line for line in found) == 2


def test_a_loop_that_calls_other_code_has_one_version() -> None:
    assert versions(lines(Form.TANGENT, inside="call void @unknown()")) == 0
