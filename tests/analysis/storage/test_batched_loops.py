"""Loops whose reverse can run in batches: which of their loads wait."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.storage.batched_loops import batched_loads
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.module import Module

TEXT = """
define void @f(ptr %to, ptr %from, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %left = getelementptr {stored}, ptr %from, i64 %i
  %right = getelementptr i8, ptr {beside}, i64 8
  %a = load {type}, ptr %left
  %b = load {type}, ptr %right
  %p = fmul {type} %a, %b
  %place = getelementptr {type}, ptr %to, i64 %i
  store {type} %p, ptr %place
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}}
"""


def waiting(
    *, type_: str = "double", stored: str = "double", beside: str = "%left", plain: bool = True, alias: bool = False
) -> list[str]:
    text = TEXT.format(type=type_, stored=stored, beside=beside)
    (loop,) = ControlFlow(Module.parse(text).body("@f")).loops
    loads = batched_loads(
        loop,
        lambda i: i.name in ("a", "b", "p") or i.opcode == "store",
        lambda i: False,
        lambda i: plain,
        lambda *places: alias,
    )
    return [load.name for load in loads]


def test_loads_of_neighbours_wait() -> None:
    assert waiting() == ["a", "b"]


@pytest.mark.parametrize(
    "names",
    [
        waiting(plain=False),
        waiting(alias=True),
        waiting(stored="[2 x double]"),  # a gap between the places of two iterations
        waiting(beside="%to"),  # no two loads of one array
        waiting(type_="<2 x double>", stored="<2 x double>"),
    ],
)
def test_others_do_not(names: list[str]) -> None:
    assert names == []
