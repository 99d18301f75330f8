"""A copy that LLVM has split into a byte in a register and the rest in memory becomes one copy again."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.optimise.joined_copies import join_split_copies
from enzyme_cc.ir.module import Module

TEXT = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @other()

define void @f(ptr %%to, ptr %%from) {
  %%slot = alloca [7 x i8]
  %%byte = load i8, ptr %%from
  %%rest = getelementptr i8, ptr %%from, i64 1
  %(between)s
  call void @llvm.memcpy.p0.p0.i64(ptr %%slot, ptr %%rest, i64 7, i1 false)
  call void @other()
  store i8 %%byte, ptr %%to
  %%behind = getelementptr i8, ptr %%to, i64 %(distance)d
  call void @llvm.memcpy.p0.p0.i64(ptr %%behind, ptr %%slot, i64 7, i1 false)
  ret void
}
"""


def copied(between: str = "", distance: int = 1) -> list[str]:
    function = Module.parse(TEXT % {"between": between, "distance": distance}).body("@f")
    join_split_copies(function)
    calls = [i for i in function.instructions() if i.callee_name.startswith("@llvm.memcpy")]
    return [str(i.arguments[2]) for i in calls]


def test_two_parts_become_one() -> None:
    assert copied() == ["8", "8"]


@pytest.mark.parametrize(
    ("between", "distance"), [("call void @other()", 1), ("store i8 0, ptr %rest", 1), ("", 2)], ids=str
)
def test_parts_that_do_not_belong_together_stay(between: str, distance: int) -> None:
    assert copied(between, distance) == ["7", "7"]
