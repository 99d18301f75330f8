"""Writes after a loop has allocated again are to other memory."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.memory.facts import MemoryFacts

from ..support import Analysed

TEXT = """
declare noalias ptr @malloc(i64)
declare noalias ptr @pool(i64)
declare void @keep(ptr)
define double @f(i1 %c, i1 %d) {{
entry:
  br label %loop
loop:
  {first}
  %new = call ptr @{allocate}(i64 64)
  store double 1.0, ptr %new
  {middle}
  %x = load double, ptr %new
  {last}
  br i1 %c, label %loop, label %end
end:
  ret double 0.0
}}
"""


def is_overwritten(first: str = "", middle: str = "", last: str = "", allocate: str = "malloc") -> bool:
    a = Analysed(TEXT.format(first=first, middle=middle, last=last, allocate=allocate))
    facts = MemoryFacts(a.module, a.function("f"), a.flow("f"), a.types)
    load = next(i for i in a.function("f").instructions() if i.name == "x")
    behind = facts.overwritten_behind(load.operands[0], load) is not None
    assert behind or facts.overwritten_after(load) is None
    return facts.overwritten_after(load) is not None


def test_the_next_step_writes_other_memory() -> None:
    assert not is_overwritten()


@pytest.mark.parametrize(
    "case",
    [
        {"last": "store double 2.0, ptr %new"},
        {"last": "call void @keep(ptr %new)"},
        {"first": "%old = phi ptr [ null, %entry ], [ %new, %loop ]\n  store double 2.0, ptr %old"},
        {"first": "%old = phi ptr [ null, %entry ], [ %new, %loop ]"},
        {"allocate": "pool"},
    ],
    ids=["this step", "kept", "the last step", "carried", "of a pool"],
)
def test_what_may_write_the_same_memory_counts(case: dict[str, str]) -> None:
    assert is_overwritten(**case)


def test_an_inner_loop_may_walk_through_the_memory() -> None:
    walk = """br label %inner
inner:
  %p = phi ptr [ %new, %loop ], [ %q, %inner ]
  store double 3.0, ptr %p
  %q = getelementptr i8, ptr %p, i64 8
  br i1 %d, label %inner, label %then
then:"""
    assert not is_overwritten(middle=walk)
