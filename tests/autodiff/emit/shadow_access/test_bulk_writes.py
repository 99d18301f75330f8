"""What is known of the bytes that a copy, fill or reallocation writes."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.emit.shadow_access.bulk_writes import BulkWrite, bulk_write
from tests.autodiff.sweeps import analysed

from .emitted import program

COPY = "call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr {}, i64 8, i1 false)"
FILL = "call void @llvm.memset.p0.i64(ptr {}, i8 0, i64 8, i1 false)"


def written(write: str, before: str = "", parameter: str = "double %x") -> BulkWrite:
    body = f"""%to = alloca double
  %from = alloca double
  store double %x, ptr %from!D
  store double %x, ptr %to!D
  {before}
  {write}
  %y = load double, ptr %to!D"""
    analyses = analysed(
        "@numbers = constant double 1.0" + program(body, parameter), "out dup"[: 3 + 4 * ("," in parameter)]
    )
    (found,) = [i for i in analyses.function.instructions() if "@llvm.mem" in i.callee_name]
    return bulk_write(analyses, found)


def test_a_copy_of_numbers_is_typed() -> None:
    assert written(COPY.format("%from")) is BulkWrite.TYPED


@pytest.mark.parametrize("write", [COPY.format("@numbers"), FILL.format("%to")])
def test_constant_bytes_in_memory_of_the_function_need_no_type(write: str) -> None:
    assert written(write) is BulkWrite.UNTYPED


def test_constant_bytes_in_memory_of_the_caller_have_one() -> None:
    before = "store double %x, ptr %p!D"
    assert written(FILL.format("%p"), before, "double %x, ptr %p") is BulkWrite.TYPED
