"""The language of derivative expressions: what it accepts, what it folds, and the IR it makes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.constants import ConstantInt
from enzyme_cc.ir.folding import float_constant
from enzyme_cc.ir.text.printer import print_function
from enzyme_cc.ir.types import DOUBLE, FLOAT, HALF, I32, VOID, X86_FP80, FunctionType, Type, VectorType
from enzyme_cc.ir.values import Argument, Block, Function, Value
from enzyme_cc.rules.expression import Expression, exact_constant
from enzyme_cc.rules.nodes import CONSTANTS


def emitted(text: str, type_: Type = DOUBLE, fast: tuple[str, ...] = (), **operands: Type | Value) -> list[str]:
    """The lines of IR for an expression; operands are given by type or value."""
    values = {n: Argument(v, n) if isinstance(v, Type) else v for n, v in operands.items()}
    arguments = [value for value in values.values() if isinstance(value, Argument)]
    function = Function("@f", FunctionType(VOID, tuple(a.type for a in arguments)), arguments)
    block = Block("entry", function)
    function.blocks.append(block)
    Expression.parse(text).emit(Builder(block, fast), values, type_)
    return [line.strip() for line in print_function(function).splitlines()[2:-1]]


def test_names_are_what_emission_needs() -> None:
    assert Expression.parse("where(x < 0, r, y*pi)").names == {"x", "r", "y"}


@pytest.mark.parametrize(("text", "value"), [("0", 0.0), ("-1", -1.0), ("1/2", 0.5), ("0*x", 0.0), ("x", None)])
def test_constants_are_known_as_such(text: str, value: float | None) -> None:
    assert Expression.parse(text).constant == value


@pytest.mark.parametrize("text", ["x**2", "x if y else z", "frobnicate(x)", "sin(x, y)", "not x", "x < y < z", "'s'"])
def test_what_is_not_in_the_language_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expressions|condition"):
        Expression.parse(text)


@pytest.mark.parametrize("text", ["1/y", "-r/y", "where(x == 0 and y > 0, 0, x*y)", "cos(x)", "(1 - r)*(1 + r)"])
def test_text_reads_back_as_the_same_expression(text: str) -> None:
    expression = Expression.parse(text)
    assert Expression.parse(str(expression)) == expression


def test_intrinsics_where_llvm_has_them() -> None:
    assert emitted("cos(x)", x=DOUBLE) == ["%0 = call double @llvm.cos.f64(double %x) nounwind willreturn memory(none)"]


def test_library_functions_by_their_suffix() -> None:
    for type_, name in ((DOUBLE, "@j1("), (FLOAT, "@j1f("), (X86_FP80, "@j1l(")):
        assert name in emitted("j1(x)", type_, x=type_)[0]


def test_runtime_functions_by_their_prefix() -> None:
    assert "@__ez_digammaf(" in emitted("digamma(x)", FLOAT, x=FLOAT)[0]


def test_vector_calls_without_intrinsic_go_lane_by_lane() -> None:
    lines = emitted("j1(x)", VectorType(DOUBLE, 2), x=VectorType(DOUBLE, 2))
    assert sum("call double @j1(" in line for line in lines) == 2


def test_equal_subexpressions_are_emitted_once() -> None:
    assert len(emitted("sin(x)*sin(x)", x=DOUBLE)) == 2


def test_integer_operands_stay_integers_as_integer_parameters() -> None:
    lines = emitted("jn(x - 1, y)", x=I32, y=DOUBLE)
    assert lines[0] == "%0 = sub i32 %x, 1"
    assert "@jn(i32 %0, double %y)" in lines[1]


def test_integer_operands_are_converted_in_arithmetic() -> None:
    assert emitted("x*y", x=I32, y=DOUBLE) == ["%0 = sitofp i32 %x to double", "%1 = fmul double %0, %y"]


def test_constant_integers_are_converted_at_once() -> None:
    lines = emitted("x*y", x=ConstantInt(I32, 3), y=DOUBLE)
    assert lines == [f"%0 = fmul double {float_constant(3.0)}, %y"]


def test_a_scalar_integer_is_spread_over_lanes() -> None:
    lines = emitted("x*y", VectorType(DOUBLE, 2), x=I32, y=VectorType(DOUBLE, 2))
    assert any("shufflevector" in line for line in lines)


def test_half_is_computed_in_float() -> None:
    lines = emitted("exp(x)", HALF, x=HALF)
    assert lines[0].startswith("%0 = fpext half %x to float")
    assert lines[-1] == "%2 = fptrunc float %1 to half"


def test_reassoc_is_not_given_to_formulas() -> None:
    (line,) = emitted("x*y", fast=("reassoc", "nsz", "arcp", "contract"), x=DOUBLE, y=DOUBLE)
    assert line == "%0 = fmul nsz arcp contract double %x, %y"


def test_a_number_is_multiplied_by_a_quotient_before_it_is_divided() -> None:
    assert str(Expression.parse("-r/y").product) == "(factor * (-r)) * (1 / y)"
    assert str(Expression.parse("1/y").product) == "factor * (1 / y)"


def test_comparisons_are_ordered_and_inequality_is_not() -> None:
    assert "fcmp olt" in emitted("where(x < y, x, y)", x=DOUBLE, y=DOUBLE)[0]
    assert "fcmp une" in emitted("where(x != y, x, y)", x=DOUBLE, y=DOUBLE)[0]
    assert "fcmp ugt" in emitted("where(not (x <= y), x, y)", x=DOUBLE, y=DOUBLE)[0]


def test_long_double_constants_have_all_their_bits() -> None:
    assert str(exact_constant(CONSTANTS["pi"], X86_FP80)) == "0xK4000C90FDAA22168C235"
    assert str(exact_constant(Fraction(1, 3), X86_FP80)) == "0xK3FFDAAAAAAAAAAAAAAAB"
    assert str(exact_constant(Fraction(1, 2), X86_FP80)) == "0xK3FFE8000000000000000"
