"""Slots that LLVM has cut out of a struct: their words come to multiples of 8."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.optimise.aligned_slots import align_slots
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.text.printer import print_function

TEXT = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
declare ptr @malloc(i64)

define double @f(ptr align 8 %%from) {
  %%slot = alloca [20 x i8], align 4
  call void @llvm.lifetime.start.p0(ptr %%slot)
  %%inside = getelementptr i8, ptr %%slot, i64 4
  %s
  ret double 0.0
}
"""
BLOCK = "%block = call ptr @malloc(i64 32)\n  %at = getelementptr i8, ptr %block, i64 12\n  "
COPY = "call void @llvm.memcpy.p0.p0.i64(ptr {}, ptr {}, i64 16, i1 false)"


def aligned(code: str) -> str:
    function = Module.parse(TEXT % code).body("@f")
    align_slots(function)
    return print_function(function)


@pytest.mark.parametrize(
    "code",
    [
        "%x = load double, ptr %inside",
        "store ptr %from, ptr %inside",
        COPY.format("%inside", "%from"),
        "%block = call ptr @malloc(i64 32)\n  %at = getelementptr i8, ptr %block, i64 12\n  "
        + COPY.format("%at", "%slot"),
    ],
    ids=["number", "pointer", "argument", "block"],
)
def test_bytes_are_put_in_front(code: str) -> None:
    text = aligned(code)
    assert "alloca [24 x i8], align 8" in text
    assert "alloca [20 x i8]" not in text


def test_the_lifetime_is_that_of_the_whole_slot() -> None:
    lines = [line.strip() for line in aligned("%x = load double, ptr %inside").splitlines()]
    whole = next(line for line in lines if "alloca" in line).split(" = ")[0]
    assert f"call void @llvm.lifetime.start.p0(ptr {whole})" in lines


@pytest.mark.parametrize(
    "code", ["%x = load double, ptr %slot", "%x = load float, ptr %inside", COPY.format("%slot", "%from")], ids=str
)
def test_other_slots_stay(code: str) -> None:
    assert "alloca [20 x i8], align 4" in aligned(code)


def test_packed_records_stay() -> None:
    both = "%x = load double, ptr %inside\n  %next = getelementptr i8, ptr %slot, i64 8\n  %y = load double, ptr %next"
    assert "alloca [20 x i8], align 4" in aligned(both)
