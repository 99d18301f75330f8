"""Reads behind `restrict` pointers that regions capture."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.normalise.threads.restricted_reads import hoist_restricted_reads
from enzyme_cc.ir.module import Module

TEXT = """
declare void @g()
define void @region(ptr %t, ptr %z, ptr {attribute} %a, ptr %c, i64 %n) {{
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %end ]
  br label %before
before:
  br label %inner
inner:
  %j = phi i64 [ 0, %before ], [ %j.next, %inner ]
  {first}
  %p = getelementptr double, ptr %a, i64 {index}
  %x = load double, ptr %p
  %q = getelementptr double, ptr %c, i64 %j
  store double %x, ptr %q
  {last}
  %j.next = add i64 %j, 1
  %again = icmp ult i64 %j.next, %n
  br i1 %again, label %inner, label %end
end:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %outer, label %done
done:
  ret void
}}
"""


@pytest.mark.parametrize(
    ("attribute", "first", "last", "index", "block"),
    [
        ("noalias", "", "", "%i", "before"),
        ("noalias", "", "", "%j", "inner"),
        ("", "", "", "%i", "inner"),
        ("noalias", "call void @g()", "", "%i", "inner"),
        ("noalias", "", "store double 0.0, ptr %p", "%i", "inner"),
    ],
    ids=["fixed", "varies", "not restrict", "behind a call", "written"],
)
def test_reads_move_to_where_their_address_is_known(
    attribute: str, first: str, last: str, index: str, block: str
) -> None:
    region = Module.parse(TEXT.format(attribute=attribute, first=first, last=last, index=index)).body("@region")
    hoist_restricted_reads(region)
    read = next(i for i in region.instructions() if i.opcode == "load")
    assert read.block is not None
    assert read.block.name == block
