"""Which loops over small local arrays LLVM is told to unroll before differentiation."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.optimise.array_loops import with_array_loops_marked
from enzyme_cc.ir import llvm_passes

# sums of a tile: the array is set, added to in a loop of unknown length, and stored
TILE = """define void @f(ptr %to, ptr %x, i64 %n) {{
  %sum = alloca [{elements} x double], align 16
  br label %set

set:
  %i = phi i64 [ 0, %0 ], [ %i.next, %set.end ]
  %test = icmp eq ptr %x, null
  br i1 %test, label %set.end, label %set.load

set.load:
  %first = load double, ptr %x, align 8
  br label %set.end

set.end:
  %start = phi double [ 0.0, %set ], [ %first, %set.load ]
  %place = getelementptr double, ptr %sum, i64 %i
  store double %start, ptr %place, align 8
  %i.next = add nuw nsw i64 %i, 1
  %set.done = icmp eq i64 %i.next, {elements}
  br i1 %set.done, label %rows, label %set

rows:
  %k = phi i64 [ %k.next, %rows.end ], [ 0, %set.end ]
  br label %add

add:
  %j = phi i64 [ 0, %rows ], [ %j.next, %add ]
  %element = mul i64 %j, {scale}
  %more = getelementptr double, ptr %x, i64 %k
  %value = load double, ptr %more, align 8
  %same = getelementptr double, ptr %sum, i64 %{index}
  %old = load double, ptr %same, align 8
  %new = fadd double %old, %value
  store double %new, ptr %same, align 8
  %j.next = add nuw nsw i64 %j, 1
  %add.done = icmp eq i64 %j.next, {elements}
  br i1 %add.done, label %rows.end, label %add

rows.end:
  %k.next = add nuw nsw i64 %k, 1
  %rows.done = icmp eq i64 %k.next, %n
  br i1 %rows.done, label %out, label %rows

out:
  {end}
  %last = getelementptr double, ptr %sum, i64 2
  %result = load double, ptr %last, align 8
  store double %result, ptr %to, align 8
  ret void
}}

declare void @other(ptr)
"""
# a pointer that moves through the array, in a loop that runs nine times
MOVED = """define void @f(ptr %to, ptr %x) {
  %sum = alloca [9 x double], align 16
  br label %set

set:
  %i = phi i64 [ 0, %0 ], [ %i.next, %set ]
  %place = phi ptr [ %sum, %0 ], [ %place.next, %set ]
  store double 1.0, ptr %place, align 8
  %place.next = getelementptr i8, ptr %place, i64 8
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 9
  br i1 %done, label %out, label %set

out:
  ret void
}
"""
# the rows of a matrix in a struct, in a loop that runs twice: LLVM makes its counters and its test constants
TWICE = """define void @f(ptr %to, ptr %x) {{
  %all = alloca {{ double, [2 x [2 x double]] }}, align 16
  %first = getelementptr i8, ptr %all, i64 8
  %second = getelementptr i8, ptr %all, i64 24
  br label %set

set:
  %flag = phi i1 [ true, %0 ], [ {later}, %set ]
  %i = phi i64 [ 0, %0 ], [ 1, %set ]
  %row = phi ptr [ %first, %0 ], [ %second, %set ]
  %from = getelementptr double, ptr %x, i64 %i
  %value = load double, ptr %from, align 8
  %place = getelementptr double, ptr %row, i64 %i
  store double %value, ptr %place, align 8
  br i1 %flag, label %set, label %out

out:
  %last = getelementptr {{ double, [2 x [2 x double]] }}, ptr %all, i64 0, i32 1, i64 1, i64 1
  %result = load double, ptr %last, align 8
  store double %result, ptr %to, align 8
  ret void
}}
"""


def tile(elements: int = 8, scale: int = 1, index: str = "j", end: str = "") -> str:
    return TILE.format(elements=elements, scale=scale, index=index, end=end)


def in_struct(text: str, type_: str) -> str:
    """The same with an array that is the second member of a struct."""
    array = "%sum = alloca [8 x double], align 16"
    assert array in text
    return text.replace(array, f"%all = alloca {type_}\n  %sum = getelementptr {type_}, ptr %all, i64 0, i32 1")


@pytest.mark.parametrize(
    "text",
    [
        tile(),
        tile(16),
        tile(scale=0),
        tile(index="element"),
        in_struct(tile(), "{ double, [8 x double], [2 x double] }"),
        in_struct(tile(), "{ { double, double }, [8 x double], { [2 x float], double } }"),
        "%all = type { %pair, [8 x double] }\n%pair = type { double, [3 x double] }\n" + in_struct(tile(), "%all"),
        TWICE.format(later="false"),
    ],
)
def test_the_array_becomes_registers(text: str) -> None:
    marked, any_ = with_array_loops_marked(text)
    assert any_
    module = llvm_passes.parse(marked)
    llvm_passes.optimise(module, 2)
    assert "alloca" not in str(module)


@pytest.mark.parametrize(
    "text",
    [
        tile(17),
        tile(index="k"),
        tile(end="call void @other(ptr %sum)"),
        in_struct(tile(), "{ ptr, [8 x double] }"),
        "%all = type { %pair, [8 x double] }\n%pair = type { double, ptr }\n" + in_struct(tile(), "%all"),
        in_struct(tile(), "{ double, [8 x double], [120 x double] }"),
        TWICE.format(later="true"),
        MOVED,
    ],
)
def test_other_arrays_stay_in_memory(text: str) -> None:
    assert with_array_loops_marked(text) == (text, False)
