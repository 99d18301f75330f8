"""What an integer that is computed from the bits of a number still holds of the number."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.integers.bits import HeldBits, made_into_numbers
from enzyme_cc.analysis.integers.number_parts import NOTHING, UNCLEAR, Held, Part
from enzyme_cc.ir.types import DOUBLE
from enzyme_cc.ir.values import Function
from tests.ir.llvm_check import parsed


def function(*body: str) -> Function:
    lines = "\n".join(body)
    return parsed(f"define double @f(double %x, i64 %n) {{\n{lines}\nret double %x\n}}\n").body("@f")


def held(*steps: str) -> Held | None:
    """Returns what %r holds, which the steps compute from %b, the bits of %x."""
    f = function("%b = bitcast double %x to i64", *steps)
    bits = HeldBits(f)
    return bits.get(next(i for i in f.instructions() if i.name == "r"))


def test_a_bitcast_holds_the_number_in_place() -> None:
    f = function("%r = bitcast double %x to i64")
    assert HeldBits(f).get(f.entry.instructions[0]) == Part(DOUBLE, top=52)


@pytest.mark.parametrize(
    ("why", "step"),
    [
        ("the exponent", "%r = lshr i64 %b, 52"),
        ("the last bits of the fraction", "%r = and i64 %b, 255"),
        ("the low half", "%r = trunc i64 %b to i32"),
        ("the sign", "%r = lshr i64 %b, 63"),
    ],
)
def test_steps_without_a_slope(why: str, step: str) -> None:
    assert held(step) is NOTHING, why


@pytest.mark.parametrize(
    ("why", "step", "part"),
    [
        ("the fraction", "%r = and i64 %b, 4503599627370495", Part(DOUBLE, 52, moved=False)),
        ("the number without its sign", "%r = and i64 %b, 9223372036854775807", Part(DOUBLE, 52)),
        ("the number rounded to 25 bits", "%r = and i64 %b, -134217728", Part(DOUBLE, 52, fine=27, moved=False)),
        ("the upper half", "%r = lshr i64 %b, 32", Part(DOUBLE, 20, moved=False)),
        ("a half added before rounding", "%r = add i64 %b, 4096", Part(DOUBLE, 52, moved=False)),
    ],
)
def test_steps_that_keep_the_slope(why: str, step: str, part: Part) -> None:
    assert held(step) == part, why


@pytest.mark.parametrize(
    ("why", "step"),
    [
        ("a product of two numbers' bits", "%r = mul i64 %b, %b"),
        ("an unknown factor", "%r = mul i64 %b, %n"),
        ("an unknown mask", "%r = and i64 %b, %n"),
        ("a mask with holes", "%r = and i64 %b, 4222124650659841"),
        ("bits set inside the fraction", "%r = or i64 %b, 4096"),
    ],
)
def test_steps_that_nobody_can_follow(why: str, step: str) -> None:
    assert held(step) is UNCLEAR, why


def test_a_select_agrees_on_where_the_number_is() -> None:
    same = held("%c = icmp slt i64 %b, 0", "%a = and i64 %b, 9223372036854775807", "%r = select i1 %c, i64 %a, i64 %b")
    moved = held("%c = icmp slt i64 %b, 0", "%a = lshr i64 %b, 8", "%r = select i1 %c, i64 %a, i64 %b")
    assert same == Part(DOUBLE, 52) and moved is UNCLEAR


def test_a_converted_number_is_all_fraction() -> None:
    f = function("%r = fptosi double %x to i64", "%k = add i64 %r, 1")
    bits = HeldBits(f)
    part = bits.get(f.entry.instructions[1])
    assert isinstance(part, Part) and part.of_value and f.entry.instructions[1] not in bits.of_bits


def test_integers_that_are_read_as_numbers_after_arithmetic() -> None:
    f = function("%b = bitcast double %x to i64", "%k = add i64 %b, 1", "%other = add i64 %n, 1",
                 "%y = bitcast i64 %k to double")  # fmt: skip
    assert {i.name for i in made_into_numbers(f)} == {"b", "k"}
