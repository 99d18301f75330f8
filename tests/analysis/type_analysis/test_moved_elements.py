"""Words that loops move from one array to another may be all words of a struct."""

from __future__ import annotations

import pytest

from ..support import Analysed

MOVES = """
define void @copy(ptr %to, ptr %from, i64 %n) {{
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %source = getelementptr inbounds ptr, ptr %from, i64 {source}
  %word = load ptr, ptr %source
  %target = getelementptr inbounds ptr, ptr %to, i64 %k
  store ptr %word, ptr %target
  %next = add nuw nsw i64 %k, 1
  %goes_on = icmp ult i64 %next, %n
  br i1 %goes_on, label %loop, label %end
end:
  ret void
}}
define double @f() {{
  %a = alloca double
  %b = alloca double
  %p = alloca [3 x ptr]
  %q = alloca [3 x ptr]
  %count = getelementptr inbounds i8, ptr %p, i64 8
  store i64 2, ptr %count
  %counted = getelementptr inbounds i8, ptr %q, i64 8
  %n = load i64, ptr %counted
  store ptr %a, ptr %p
  %last = getelementptr inbounds i8, ptr %p, i64 16
  store ptr %b, ptr %last
  call void @copy(ptr %q, ptr %p, i64 3)
  %copied = getelementptr inbounds i8, ptr %q, i64 16
  %found = load ptr, ptr %copied
  %v = load double, ptr %found
  ret double %v
}}
"""


@pytest.mark.parametrize(("source", "is_copied"), [("%k", True), ("0", False)])
def test_pointers_behind_integers_are_moved_with_them(source: str, is_copied: bool) -> None:
    a = Analysed(MOVES.format(source=source), ["@f"])
    found, b = (next(i for i in a.function("f").instructions() if i.name == name) for name in ("found", "b"))
    assert a.types.points_to.may_overlap(found, b) is is_copied
