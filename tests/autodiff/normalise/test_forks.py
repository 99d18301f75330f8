"""Forks of threads become calls; a loop that adds by compare-and-exchange becomes an addition."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.region_calls import is_region_call, is_task_call, place_of_region
from enzyme_cc.autodiff.normalise.threads.atomic_sums import add_at_once
from enzyme_cc.autodiff.normalise.threads.forks import call_regions
from enzyme_cc.autodiff.normalise.threads.schedules import give_each_iteration_once
from enzyme_cc.ir.module import Module
from enzyme_cc.report.diagnostics import NotOnTeams

TEXT = """
@place = external global i8
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
define void @f(ptr %x) {{
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @place, i32 1, ptr @region, ptr %x)
  ret void
}}
define internal void @region(ptr %t, ptr %b, ptr %x) {{
  {}
  ret void
}}
"""
TASK = """
declare void @__ez_team_task(i32, ptr, ptr)
define internal i32 @region(i32 %thread, ptr %task) {{
  ret i32 0
}}
define void @f(ptr %x) {{
  call void @__ez_team_task(i32 3, ptr %x, ptr {})
  ret void
}}
"""
SUM = """
define void @f(ptr %x, double %v) {
entry:
  %seen = load atomic i64, ptr %x monotonic, align 8
  br label %loop
loop:
  %old = phi i64 [ %seen, %entry ], [ %now, %loop ]
  %number = bitcast i64 %old to double
  %sum = OPERATION double OPERANDS
  %new = bitcast double %sum to i64
  %pair = cmpxchg ptr %x, i64 %old, i64 %new monotonic monotonic, align 8
  %now = extractvalue { i64, i1 } %pair, 0
  %done = extractvalue { i64, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
"""


DIVIDED = """
declare void @__kmpc_for_static_init_4(ptr, i32, i32, ptr, ptr, ptr, ptr, i32, i32)
define void @f(ptr %x) {{
  call void @__kmpc_for_static_init_4(ptr null, i32 0, i32 {}, ptr %x, ptr %x, ptr %x, ptr %x, i32 1, i32 4)
  ret void
}}
"""


@pytest.mark.parametrize("asked, wanted", [(45, 33), (45 | 1 << 29, 33 | 1 << 29), (33, 33), (34, 34)])
def test_chunks_for_vectors_are_chunks(asked: int, wanted: int) -> None:
    function = Module.parse(DIVIDED.format(asked)).body("@f")
    give_each_iteration_once(function)
    (call,) = [i for i in function.instructions() if i.opcode == "call"]
    assert str(call.arguments[2]) == str(wanted)


def test_a_fork_is_a_call_of_the_region() -> None:
    module = Module.parse(TEXT.format(""))
    function = module.body("@f")
    call_regions(module, function, ())
    (call,) = [i for i in function.instructions() if i.opcode == "call"]
    assert is_region_call(call) and str(call.callee) == "@region" and str(place_of_region(call)) == "@place"


def test_a_task_is_a_call_of_its_function() -> None:
    module = Module.parse(TASK.format("@region"))
    call_regions(module, module.body("@f"), ())
    (call,) = [i for i in module.body("@f").instructions() if i.opcode == "call"]
    assert is_task_call(call) and str(call.callee) == "@region"
    assert str(call.arguments[0]) == "3" and call.arguments[1] is module.body("@f").arguments[0]
    unknown = Module.parse(TASK.format("%x"))
    with pytest.raises(NotOnTeams):
        call_regions(unknown, unknown.body("@f"), ())


@pytest.mark.parametrize("line", ["fence seq_cst", "%v = load atomic double, ptr %x monotonic, align 8"])
def test_atomic_accesses_in_an_order(line: str) -> None:
    module = Module.parse(TEXT.format(line))
    with pytest.raises(NotOnTeams):
        call_regions(module, module.body("@f"), ())


@pytest.mark.parametrize(
    "operation, operands, is_sum",
    [
        ("fadd", "%v, %number", True),
        ("fsub", "%number, %v", True),
        ("fsub", "%v, %number", False),
        ("fmul", "%v, %number", False),
    ],
)
def test_sums_by_compare_and_exchange(operation: str, operands: str, is_sum: bool) -> None:
    function = Module.parse(SUM.replace("OPERATION", operation).replace("OPERANDS", operands)).body("@f")
    add_at_once(function)
    opcodes = {i.opcode for i in function.instructions()}
    assert ("atomicrmw" in opcodes, "cmpxchg" in opcodes) == (is_sum, not is_sum)
