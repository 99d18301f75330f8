"""Loads that move before a loop which writes other memory."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.optimise.invariant_loads import hoist_loads
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.verify import verify_function

TEXT = """
declare noalias ptr @malloc(i64)
declare void @use(ptr)

define void @f(ptr %given, ptr %other, i1 %some) {{
entry:
  br i1 %some, label %made, label %before
made:
  %a = call noalias ptr @malloc(i64 80)
  %b = call noalias ptr @malloc(i64 80)
  br label %before
before:
  %x = phi ptr [ null, %entry ], [ %a, %made ]
  %y = phi ptr [ null, %entry ], [ %b, %made ]
  %kept = load ptr, ptr %given
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %value = load double, ptr {read}
  %place = getelementptr double, ptr {written}, i64 %i
  {more}
  store double %value, ptr %place
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 10
  br i1 %done, label %out, label %loop
out:
  ret void
}}
"""


def block_of_load(read: str, written: str, more: str = "") -> str:
    module = Module.parse(TEXT.format(read=read, written=written, more=more))
    function = module.body("@f")
    hoist_loads(module, function)
    verify_function(function, "hoist_loads")
    (load,) = (i for i in function.instructions() if i.name == "value")
    assert load.block is not None
    return load.block.name


@pytest.mark.parametrize(("read", "written"), [("%x", "%y"), ("%x", "%given"), ("%given", "%y")])
def test_a_load_of_other_memory_moves(read: str, written: str) -> None:
    assert block_of_load(read, written) == "before"


@pytest.mark.parametrize(("read", "written"), [("%x", "%x"), ("%given", "%other"), ("%x", "%kept"), ("%kept", "%y")])
def test_a_load_of_what_the_loop_may_write_stays(read: str, written: str) -> None:
    assert block_of_load(read, written) == "loop"


def test_a_call_may_write_anything() -> None:
    assert block_of_load("%x", "%y", "call void @use(ptr %x)") == "loop"
