"""Derivatives of functions that are given memory without a shadow, or that make memory: what they call."""

from __future__ import annotations

import re

from enzyme_cc.analysis.activity.activity import ResultActivity
from enzyme_cc.autodiff.core.signature import Form
from tests.autodiff.rounds import DOUBLE, POINTER, TBAA
from tests.autodiff.sweeps import derivative

#: metadata of accesses of integers
_INTEGER = """
!5 = !{!6, !6, i64 0}
!6 = !{!"long", !4}
"""
#: %h is memory that other code made: a global leads there; the body returns %y
PROGRAM = """
@kept = internal global ptr null
@limit = internal global ptr null
declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define double @f({parameter}) {{
  %h = load ptr, ptr @kept!P
  {body}
  ret double %y
}}
"""


def program(body: str, parameter: str = "double %x") -> str:
    """Returns the program with this body, in which !D marks accesses of numbers, !P of pointers, !I of integers."""
    text = PROGRAM.format(parameter=parameter, body=body)
    return text.replace("!D", DOUBLE).replace("!P", POINTER).replace("!I", ", !tbaa !5") + TBAA + _INTEGER


def lines(
    body: str, form: Form = Form.COMBINED, *, arguments: str = "out", parameter: str = "double %x", asks: bool = True
) -> list[str]:
    """Returns the lines of the derivative."""
    return derivative(program(body, parameter), arguments, form, ResultActivity.ACTIVE, asks=asks)


def runtime_calls(found: list[str]) -> list[str]:
    """Returns what the lines call of the runtime, without the prefix of its names."""
    return [name for line in found for name in re.findall(r"call .*@__ez_(\w+)\(", line)]
