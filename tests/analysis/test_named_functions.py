"""What code names: functions and globals, directly and through initialisers."""

from __future__ import annotations

from enzyme_cc.analysis.references import (
    constant_tables,
    functions_referenced,
    functions_that_reach,
    is_constant_data,
    mutable_globals_reached,
)
from enzyme_cc.ir.module import Module

MODULE = """
@table = constant [1 x ptr] [ptr @inner]
@cells = constant [1 x ptr] [ptr @cell]
@_ZTV3Box = constant [1 x ptr] [ptr @cell]
@cell = global double 0.0
@numbers = constant [2 x double] [double 1.0, double 2.0]
@text = constant [2 x i8] c"a\\00"
@elsewhere = external constant double
define void @inner() {
  store double 1.0, ptr @cell
  ret void
}
define void @outer(ptr %p) {
  %f = load ptr, ptr @table
  %v = load ptr, ptr @_ZTV3Box
  call void %f()
  ret void
}
define void @other() {
  %c = load ptr, ptr @cells
  ret void
}
define void @caller() {
  call void @inner()
  ret void
}
define void @unrelated() {
  ret void
}
"""
NAMES = ["@inner", "@outer", "@other", "@caller", "@unrelated"]


def module() -> Module:
    found = Module.parse(MODULE)
    for name in NAMES:
        found.body(name)
    return found


def test_a_table_of_functions_names_them() -> None:
    found = module()
    assert functions_referenced(found, found.body("@outer")) == ["@inner"]
    assert functions_referenced(found, found.body("@inner")) == []


def test_globals_of_callees_count() -> None:
    found = mutable_globals_reached(module(), NAMES)
    assert found["@inner"] == found["@other"] == found["@caller"] == frozenset(["@cell"])
    assert found["@unrelated"] == frozenset()


def test_callers_reach_what_their_callees_are() -> None:
    assert functions_that_reach(module(), NAMES, ["@inner"]) == {"@inner", "@outer", "@caller"}


def test_a_constant_that_points_at_variables_is_a_table_unless_it_belongs_to_a_class() -> None:
    found = module()
    assert constant_tables(found, map(found.body, NAMES)) == {"@cells": frozenset(["@cell"])}


def test_constant_numbers_are_data_and_texts_and_declarations_are_not() -> None:
    found = module()
    assert is_constant_data(found, "@numbers")
    assert not any(is_constant_data(found, name) for name in ("@text", "@elsewhere", "@cell", "@unknown"))
