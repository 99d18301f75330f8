"""Which bytes of an integer come from which operand: casts, shifts and masks of integers that carry numbers."""

import pytest

from enzyme_cc.autodiff.emit.moved_bits import origins, sets_sign
from enzyme_cc.ir.values import Instruction
from enzyme_cc.report.diagnostics import EnzymeError
from tests.autodiff.sweeps import analysed

TEXT = """
define i64 @f(i64 %x, i32 %low) {
  %up = shl i64 %x, 32
  %down = lshr i64 %x, 32
  %odd = lshr i64 %x, 3
  %kept = and i64 %x, 4294967295
  %wide = zext i32 %low to i64
  %both = or i64 %up, %wide
  %absolute = and i64 %x, 9223372036854775807
  %negated = xor i64 %x, -9223372036854775808
  ret i64 %both
}
"""
ANALYSES = analysed(TEXT, "const const")


def named(name: str) -> Instruction:
    return next(i for i in ANALYSES.function.instructions() if i.name == name)


@pytest.mark.parametrize(
    ("name", "offset", "found"),
    [
        ("up", 4, [("x", 0)]),  # the low half of x is the high half of the result
        ("down", 0, [("x", 4)]),
        ("kept", 0, [("x", 0)]),
        ("kept", 4, []),  # masked out
        ("both", 0, [("wide", 0)]),  # the other operand is zero in these bytes
        ("both", 4, [("up", 4)]),
    ],
)
def test_four_bytes_come_from_an_operand(name: str, offset: int, found: list[tuple[str, int]]) -> None:
    places = [(str(getattr(value, "name", "")), at) for value, at in origins(ANALYSES, named(name), offset, 4)]
    assert places == found


def test_a_shift_by_part_of_a_byte_is_refused() -> None:
    with pytest.raises(EnzymeError):
        origins(ANALYSES, named("odd"), 0, 4)


@pytest.mark.parametrize(("name", "is_sign"), [("absolute", True), ("negated", True), ("kept", False)])
def test_masks_that_change_the_sign_alone(name: str, is_sign: bool) -> None:
    assert sets_sign(named(name), 0, 8) is is_sign
