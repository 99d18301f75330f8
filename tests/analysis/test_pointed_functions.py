"""Which functions a call through a pointer may reach: by type, by slot of a vtable, by addresses kept as integers."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.pointed_functions import PointedFunctions, Target
from enzyme_cc.analysis.type_analysis.constraints.program import Program
from enzyme_cc.analysis.type_analysis.constraints.solution import solve
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import FunctionType

FUNCTIONS = """
define double @f(double %x) {
  ret double %x
}
define double @g(double %x) {
  ret double %x
}
define double @of_pointer(ptr %p) {
  ret double 0.0
}
"""
TABLE = "@table = constant [2 x ptr] [ptr @f, ptr @of_pointer]\n"


def pointed(text: str) -> tuple[PointedFunctions, FunctionType]:
    module = Module.parse(FUNCTIONS + text)
    return PointedFunctions.read(FUNCTIONS + text, module), module.functions["@f"].type


def test_a_function_in_a_table_is_a_candidate_of_calls_of_its_type_and_one_that_nothing_names_is_none() -> None:
    found, type_ = pointed(TABLE)
    assert found.candidates(Target(type_)) == ["@f"]


def test_a_function_that_only_a_request_names_is_no_candidate() -> None:
    request = "  %d = call double (...) @__enzyme_autodiff(ptr @g, double 1.0)\n"
    found, type_ = pointed(f"define double @caller() {{\n{request}  ret double %d\n}}\n")
    assert found.candidates(Target(type_)) == []


def test_a_function_that_only_vtables_hold_is_a_candidate_of_its_slot_alone() -> None:
    found, type_ = pointed("@_ZTV1A = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @g] }\n")
    slot = next(iter(found.slots["@g"]))
    assert found.candidates(Target(type_, slot=slot)) == ["@g"]
    assert found.candidates(Target(type_, slot=slot + 1)) == []


@pytest.mark.parametrize(("from_integer", "expected"), [(True, ["@g"]), (False, ["@f", "@g"])])
def test_a_pointer_from_an_integer_reaches_functions_kept_as_integers(from_integer: bool, expected: list[str]) -> None:
    found, type_ = pointed(TABLE + "@numbers = constant [1 x i64] [i64 ptrtoint (ptr @g to i64)]\n")
    assert found.candidates(Target(type_, from_integer)) == expected


def test_functions_left_out_are_no_candidates() -> None:
    found, type_ = pointed(TABLE)
    assert found.candidates(Target(type_), {"@f"}) == []


def test_type_analysis_takes_the_answer_of_the_module() -> None:
    caller = "define double @h(ptr %p, double %x) {\n  %y = call double %p(double %x)\n  ret double %y\n}\n"
    module = Module.parse(FUNCTIONS + TABLE + caller)
    program = Program(module, [module.body(name) for name in module.functions], ["@h"])
    solve(program)
    assert program.indirect[0].found == {"@f", "@of_pointer"}
