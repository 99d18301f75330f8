"""Remarks on what a derivative stores, and on facts of the program."""

from __future__ import annotations

from enzyme_cc.analysis.storage.store_or_recompute import Plan
from enzyme_cc.autodiff.analyses.storage_remarks import remarks

from ..sweeps import analysed

TEXT = """
declare void @__kmpc_serialized_parallel(ptr, i32)
define double @f(double %x, ptr %p) {{
  {}
  %y = fmul double %x, %x
  ret double %y
}}
"""


def said(line: str = "") -> list[tuple[str, str]]:
    found = remarks(analysed(TEXT.format(line), "out const"), Plan())
    return [(remark.name, "".join(text for _, text in remark.parts)) for remark in found]


def test_a_derivative_that_stores_nothing_says_so() -> None:
    assert said() == [("Tape", "the tape holds nothing")]


def test_a_parallel_region_is_told() -> None:
    (first, _) = said("call void @__kmpc_serialized_parallel(ptr %p, i32 0)")
    assert first == ("OneThread", "this parallel region runs in one thread")
