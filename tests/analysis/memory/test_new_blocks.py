"""Blocks that a call has allocated itself are told from those that were passed to it."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.memory.new_blocks import NewBlocks
from enzyme_cc.ir.module import Module

TEXT = """
declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare ptr @_Znwm(i64)
declare ptr @elsewhere()
@pool = global ptr null

define ptr @make(i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  %block = call ptr @malloc(i64 8)
  br label %no
no:
  %made = phi ptr [ %block, %yes ], [ null, %0 ]
  ret ptr %made
}
define ptr @from_pool() {
  %block = load ptr, ptr @pool
  ret ptr %block
}
define ptr @again(i1 %c) {
  %block = call ptr @again(i1 %c)
  ret ptr %block
}
define void @f(ptr %argument, i1 %c) {
  %target = PLACE
  store ptr null, ptr %target
  ret void
}
"""


def holds(place: str, *, is_other: bool = False) -> bool:
    module = Module.parse(TEXT.replace("PLACE", place))
    store = next(i for i in module.body("@f").instructions() if i.opcode == "store")
    return NewBlocks(module, lambda call: is_other).holds(store.operands[1])


@pytest.mark.parametrize("call", ["@malloc(i64 8)", "@_Znwm(i64 8)", "@make(i1 %c)"])
def test_what_an_allocator_returns_is_new(call: str) -> None:
    assert holds(f"call ptr {call}")
    assert not holds(f"call ptr {call}", is_other=True)


@pytest.mark.parametrize("call", ["@realloc(ptr %argument, i64 8)", "@elsewhere()", "@from_pool()", "@again(i1 %c)"])
def test_what_other_functions_return_is_not(call: str) -> None:
    assert not holds(f"call ptr {call}")


def test_what_is_passed_is_not_new() -> None:
    assert not holds("getelementptr i8, ptr %argument, i64 8")
