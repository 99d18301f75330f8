"""The constraints of a program are solved until nothing is new: roots, instances, calls through pointers."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.type_analysis.constraints.moved_elements import MovedElements
from enzyme_cc.analysis.type_analysis.constraints.program import Program
from enzyme_cc.analysis.type_analysis.constraints.reach import Reach
from enzyme_cc.analysis.type_analysis.constraints.solution import solve
from enzyme_cc.analysis.type_analysis.graph.graph_nodes import Node
from enzyme_cc.analysis.type_analysis.points_to import PointsTo
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Value

TEXT = """
@number = internal global double 0.0
@hook = internal global ptr @called
define internal double @called(ptr %p) {
  %x = load double, ptr %p
  ret double %x
}
define internal double @uncalled(ptr %p) {
  %x = load double, ptr %p
  ret double %x
}
define double @f(ptr %q, ptr %r) {
  %h = load ptr, ptr @hook
  %a = call double %h(ptr %q)
  %b = call double @called(ptr @number)
  %s = fadd double %a, %b
  store double %s, ptr %r
  ret double %s
}
"""


DIRECT, INDIRECT = "call double @called(ptr @number)", "call double %h(ptr %q)"


def solved(roots: list[str] | None = None, text: str = TEXT) -> Program:
    module = Module.parse(text)
    program = Program(module, [module.body(name) for name in module.functions], roots)
    solve(program)
    return program


def instances(program: Program) -> dict[str, int]:
    return {function.name: len(found) for function, found in program.instances.items()}


@pytest.mark.parametrize("call", [DIRECT, INDIRECT])
def test_a_small_function_has_an_instance_for_each_of_its_calls(call: str) -> None:
    fewer = TEXT.replace(call, "fadd double 1.0, 2.0")
    assert instances(solved())["@called"] == instances(solved(text=fewer))["@called"] + 1


def test_a_function_without_callers_becomes_a_root_in_the_end() -> None:
    assert instances(solved(["@f"]))["@uncalled"] == 1
    assert instances(solved(["@f"]))["@f"] == 1


def reach(program: Program) -> tuple[Reach, list[Value]]:
    (instance,) = (found[0] for function, found in program.instances.items() if function.name == "@f")

    def nodes(pointer: Value) -> list[Node]:
        handle = program.handle(instance, pointer)
        return [] if handle is None else [handle.node.find()]

    return Reach(program, nodes), list(instance.function.arguments)


def test_memory_behind_an_argument_of_a_root_is_passed_by_other_code() -> None:
    found, (q, _) = reach(solved())
    assert found.is_argument(q)
    assert found.globals_at(q) == []


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
    program = solved(["@f"], MOVES.format(source=source))
    points_to = PointsTo(program)
    body = {i.name: i for i in program.functions["@f"].instructions()}
    assert points_to.may_overlap(body["found"], body["b"]) is is_copied


@pytest.mark.parametrize(("source", "is_array"), [("%k", True), ("0", False)])
def test_only_arrays_that_words_are_moved_between_go_on(source: str, is_array: bool) -> None:
    program = solved(["@f"], MOVES.format(source=source))
    assert MovedElements(program).enter() is is_array
