"""The constraints of a program are solved until nothing is new: roots, instances, calls through pointers."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.type_analysis.constraints.program import Program
from enzyme_cc.analysis.type_analysis.constraints.reach import Reach
from enzyme_cc.analysis.type_analysis.constraints.solution import solve
from enzyme_cc.analysis.type_analysis.graph.graph_nodes import Node
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
