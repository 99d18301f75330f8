"""Blocks that a call allocates, uses alone, and frees are told from all others."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.callees import Callees
from enzyme_cc.analysis.memory.facts import MemoryFacts
from enzyme_cc.analysis.memory.own_blocks import OwnBlocks
from tests.analysis.support import Analysed

TEXT = """
declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
declare noalias ptr @aligned_alloc(i64, i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)
declare void @__ez_defer_free(ptr, ptr, ptr)
@pool = global ptr null

define void @release(ptr %p) {
  call void @free(ptr %p)
  ret void
}
define void @f(i1 %c, ptr %argument) {
  %a = call ptr @malloc(i64 8)
  %b = call ptr @calloc(i64 1, i64 8)
  store double 1.0, ptr %a
  store double 2.0, ptr %b
  BODY
  ret void
}
"""


def own(body: str, *, is_other: bool = False) -> set[str]:
    program = Analysed(TEXT.replace("BODY", "\n  ".join(body.split("; "))), ["@f"])
    callees = Callees(program.module)
    function = program.function("f")
    facts = MemoryFacts(program.module, function, program.flow("f"), program.types)
    blocks = OwnBlocks(program.functions.values(), callees, program.types.points_to, lambda call: is_other)
    return {str(i.callee).lstrip("@") for i in blocks.of(function, facts.is_private)}


@pytest.mark.parametrize(
    "body, expected",
    [
        ("call void @free(ptr %a); call void @free(ptr %b)", {"malloc", "calloc"}),
        ("call void @free(ptr %a)", {"malloc"}),
        ("%p = select i1 %c, ptr %a, ptr null; call void @free(ptr %p)", {"malloc"}),
        ("%p = select i1 %c, ptr %a, ptr %b; call void @free(ptr %p)", {"malloc", "calloc"}),
    ],
)
def test_a_block_that_its_function_frees_is_its_own(body: str, expected: set[str]) -> None:
    assert own(body) == expected
    assert not own(body, is_other=True)


@pytest.mark.parametrize(
    "body",
    [
        "call void @release(ptr %a)",
        "call void @free(ptr %a); call void @release(ptr %a)",
        "store ptr %a, ptr @pool; call void @free(ptr %a)",
        "%p = select i1 %c, ptr %a, ptr %argument; call void @free(ptr %p)",
        "%p = call ptr @realloc(ptr %a, i64 16); call void @free(ptr %p)",
        "call void @__ez_defer_free(ptr %argument, ptr %a, ptr @free)",
        "%p = call ptr @aligned_alloc(i64 64, i64 64); call void @free(ptr %p)",
    ],
)
def test_other_blocks_are_not(body: str) -> None:
    assert not own(body)


def test_one_block_that_is_not_own_takes_those_freed_with_it_along() -> None:
    assert not own("%p = select i1 %c, ptr %a, ptr %b; call void @free(ptr %p); call void @release(ptr %b)")
