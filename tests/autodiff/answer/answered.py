"""Requests in IR text, answered: the function @g that made the request, after differentiation."""

from __future__ import annotations

from enzyme_cc.autodiff.core.options import Options
from enzyme_cc.autodiff.differentiate import differentiate

from ..rounds import DOUBLE, TBAA

MARKERS = (
    "@enzyme_tape = external global i32\n@enzyme_allocated = external global i32\n@enzyme_dup = external global i32\n"
)
#: f(x) = x * x
SQUARE = """
define double @f(double %x) noinline {
  %r = fmul double %x, %x
  ret double %r
}
"""
#: f(p) doubles what it has read at p
OVERWRITING = f"""
define void @f(ptr %p) noinline {{
  %x = load double, ptr %p{DOUBLE}
  %y = fmul double %x, %x
  store double %y, ptr %p{DOUBLE}
  ret void
}}
"""


def answered(text: str) -> str:
    return differentiate(MARKERS + text + TBAA, Options(verify=True)).text


def body(text: str, name: str = "@g") -> str:
    start = text.index(f" {name}(", text.index("define "))
    return text[text.rindex("define ", 0, start) :].split("\n}\n")[0]
