"""Masks that round a number to a whole one: the exponent shifts them."""

from __future__ import annotations

from enzyme_cc.analysis.integers.whole_numbers import WholeNumbers
from enzyme_cc.ir.module import Module

#: clears the bits below 1 of a double, as musl's floor does
FLOOR = """
define double @f(double %x, double %y) {{
  %bits = bitcast double %x to i64
  %other = bitcast double %y to i64
  %high = lshr i64 {of}, 52
  %exponent = and i64 %high, 2047
  %e = sub i64 %exponent, {bias}
  %low = lshr i64 4503599627370495, %e
  %mask = xor i64 %low, -1
  %whole = and i64 %bits, {mask}
  %r = bitcast i64 %whole to double
  ret double %r
}}
"""


def whole(of: str = "%bits", bias: int = 1023, mask: str = "%mask") -> tuple[WholeNumbers, dict[str, bool], list[str]]:
    module = Module.parse(FLOOR.format(of=of, bias=bias, mask=mask))
    instructions = {i.name: i for i in module.body("@f").instructions()}
    found = WholeNumbers({instructions["bits"]: 52, instructions["other"]: 52})
    rounds = {name: found.rounds(i) for name, i in instructions.items()}
    numbers = sorted(str(getattr(v, "name", "")) for v in found.numbers(instructions["whole"]))
    return found, rounds, numbers


def test_a_mask_that_the_own_exponent_shifts_rounds_to_a_whole_number() -> None:
    _, rounds, numbers = whole()
    assert [name for name, is_true in rounds.items() if is_true] == ["whole"]
    assert numbers == ["x"]


def test_a_mask_that_keeps_halves_rounds_to_no_whole_number() -> None:
    assert not whole(bias=1022)[1]["whole"]
    assert whole(bias=1024)[1]["whole"]  # to an even one


def test_a_mask_of_another_number_does_not_round() -> None:
    _, rounds, numbers = whole(of="%other")
    assert not rounds["whole"]
    assert numbers == ["x", "y"]


def test_a_constant_mask_does_not_round() -> None:
    assert not whole(mask="-4503599627370496")[1]["whole"]
