"""Adjoints of copies, fills and reallocations of memory with numbers of several types."""

from __future__ import annotations

import re

from tests.autodiff.rounds import DOUBLE, TBAA
from tests.autodiff.sweeps import derivative

FLOAT = ", !tbaa !5"
#: numbers are copied from local memory, or moved by a reallocation
TEXT = """
declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define double @f(double %x, float %s, i64 %n) {{
  %from = alloca {{ double, float }}
  %to = alloca {{ double, float }}
  {stores}
  {bulk}
  %y = load double, ptr %to{double}
  {more}
}}
"""
COPY = "call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 {}, i1 false)"
STORE = f"store double %x, ptr %from{DOUBLE}"
BOTH = f"""{STORE}
  %second = getelementptr i8, ptr %from, i64 8
  store float %s, ptr %second{FLOAT}"""
READ_BOTH = f"""%at = getelementptr i8, ptr %to, i64 8
  %t = load float, ptr %at{FLOAT}
  %w = fpext float %t to double
  %v = fadd double %w, %y
  ret double %v"""


def calls(bulk: str, stores: str = STORE, more: str = "ret double %y") -> list[str]:
    more_tbaa = '!5 = !{!6, !6, i64 0}\n!6 = !{!"float", !4}\n'
    text = TEXT.format(bulk=bulk, stores=stores, more=more, double=DOUBLE) + TBAA + more_tbaa
    found = re.findall(r"call void @__ez_(\w+)\(", "\n".join(derivative(text, "out out const")))
    return [name for name in found if name.startswith(("copy_", "check_", "clear"))]


def test_a_copy_adds_numbers_of_one_type_by_a_call_for_the_type() -> None:
    assert calls(COPY.format(8)) == ["check_cut", "copy_adjoint_f64"]


def test_numbers_of_several_types_are_added_by_one_call() -> None:
    assert calls(COPY.format(16), BOTH, READ_BOTH) == ["check_cut", "check_cut", "copy_adjoint"]


def test_a_fill_clears_numbers_of_memory_that_others_see() -> None:
    fill = "%m = call ptr @malloc(i64 %n)\n  call void @llvm.memset.p0.i64(ptr %m, i8 0, i64 %n, i1 false)\n  "
    assert "copy_adjoint_f64" not in calls(fill + f"store double %x, ptr %to{DOUBLE}")
