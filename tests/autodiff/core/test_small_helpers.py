"""Marker functions of rewritten primals, words of mixed memory, and why there is no bitcode."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.type_analysis.analysis import Kind
from enzyme_cc.autodiff.core.mixed_words import bits_of
from enzyme_cc.autodiff.core.own_functions import call_own, definition
from enzyme_cc.autodiff.core.provenance import call_site, why_no_bitcode
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import DOUBLE, FunctionType

MODULE = """
define <2 x float> @f(<2 x float> %x) {
  %y = fadd <2 x float> %x, %x
  ret <2 x float> %y
}
"""


def test_a_marker_has_the_type_of_its_operand_in_its_name() -> None:
    function = Module.parse(MODULE).body("@f")
    call_own(Builder.first(function.entry), "__ez_constant", function.arguments[0])
    assert function.entry.instructions[0].callee_name == "@__ez_constant.v2f32"


def test_only_markers_are_defined_and_return_their_first_operand() -> None:
    type_ = FunctionType(DOUBLE, (DOUBLE, DOUBLE, DOUBLE))
    made = definition("@__ez_sloped.f64", type_)
    assert made is not None
    assert made.entry.terminator.operands == [made.arguments[0]]
    assert definition("@__ez_slopedness", type_) is None


@pytest.mark.parametrize(
    "kinds, bits",
    [({Kind.DOUBLE}, 1), ({Kind.FLOAT, Kind.POINTER}, 10), ({Kind.INTEGER}, 0), (set[Kind](), 11)],
)
def test_a_word_of_which_nothing_is_known_may_hold_all_kinds(kinds: set[Kind], bits: int) -> None:
    assert bits_of(kinds) == bits


@pytest.mark.parametrize(
    "where, said",
    [("libx.so.2", "a shared library"), ("libx.a(y.o)", "compiled without enzyme-cc"), (None, "no object or archive")],
)
def test_a_reason_tells_what_defines_a_function(where: str | None, said: str) -> None:
    assert said in why_no_bitcode(lambda name: where, "x")


def test_a_call_without_a_line_is_told_by_its_function() -> None:
    module = Module.parse(MODULE)
    function = module.body("@f")
    assert call_site(module, function, function.entry.instructions[0]) == "f"
