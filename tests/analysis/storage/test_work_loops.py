"""Loops that OpenMP divides among threads, and adjoints that these add to different memory."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.storage.apart_additions import ApartAdditions, is_known_early
from enzyme_cc.analysis.storage.work_loops import work_loops
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function

TEXT = """
declare void @__kmpc_for_static_init_8(ptr, i32, i32, ptr, ptr, ptr, ptr, i64, i64)
declare i32 @omp_get_thread_num()
define void @f(ptr %t, ptr %b, ptr %xs, ptr %ws, i64 %n) {{
entry:
  %l = alloca i32
  %lower = alloca i64
  %upper = alloca i64
  %s = alloca i64
  store i64 0, ptr %lower
  store i64 %n, ptr %upper
  call void @__kmpc_for_static_init_8(ptr null, i32 0, i32 34, ptr %l, ptr %lower, ptr %upper, ptr %s, i64 1, i64 1)
  %first = load i64, ptr %lower
  %end = load i64, ptr %upper
  %me = call i32 @omp_get_thread_num()
  %own = sext i32 %me to i64
  %x = load ptr, ptr %xs
  %w = load ptr, ptr %ws
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  {}
  %next = add nsw i64 %i, 1
  %more = icmp sle i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}}
"""
X = "%p = getelementptr double, ptr %x, i64 %i\n  %a = load double, ptr %p\n  "
W = "%q = getelementptr double, ptr %w, i64 %i\n  %c = load double, ptr %q\n  "
NEXT = "%k = add nsw i64 %i, 1\n  %q = getelementptr double, ptr %x, i64 %k\n  %c = load double, ptr %q\n  "
OWN = "%k = add nsw i64 %i, %own\n  %p = getelementptr double, ptr %x, i64 %k\n  %a = load double, ptr %p\n  "
SAME = "%p = getelementptr double, ptr %x, i64 0\n  %a = load double, ptr %p\n  "


def body(lines: str) -> Function:
    return Module.parse(TEXT.format(lines)).body("@f")


def conditions(lines: str) -> int | None:
    """Returns how many conditions the first load of a number has; None if its addition is atomic."""
    function = body(lines)
    loads = [i for i in function.instructions() if i.opcode == "load" and str(i.type) == "double"]
    adders = [(load, load.operands[0]) for load in loads]
    found = ApartAdditions(ControlFlow(function), adders, lambda a, n, b, m: True).distances(loads[0])
    return None if found is None else len(found)


def test_a_divided_loop() -> None:
    (found,) = work_loops(ControlFlow(body(X)))
    assert found.variable.step == 1


@pytest.mark.parametrize("lines, expected", [(X, 0), (X + W, 1), (X + NEXT, None), (OWN, None), (SAME, None)])
def test_additions_that_are_apart(lines: str, expected: int | None) -> None:
    assert conditions(lines) == expected


def test_what_is_known_at_the_entry() -> None:
    names = {i.name: i for i in body(X).instructions()}
    assert is_known_early(names["x"]) and not is_known_early(names["own"])
