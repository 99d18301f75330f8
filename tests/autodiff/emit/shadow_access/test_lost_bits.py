"""Bits of a number that are accessed in place as an integer, which becomes a number: the program ends."""

from __future__ import annotations

from enzyme_cc.autodiff.core.signature import Form

from .emitted import lines, runtime_calls

#: the number behind %p is stored, its bits are changed in place, and it is loaded
CHANGED = """%own = alloca i64
  store i64 3, ptr %own!I
  store double %x, ptr %p!D
  %b = load i64, ptr {place}!I
  %c = xor i64 %b, 1
  store i64 %c, ptr {place}!I
  %y = load double, ptr %p!D"""


def calls(place: str) -> list[str]:
    parameter = "double %x, ptr %p"
    return runtime_calls(
        lines(CHANGED.format(place=place), Form.TANGENT, arguments="dup dup", parameter=parameter, asks=False)
    )


def test_a_tangent_where_bits_are_read_ends_the_program() -> None:
    assert calls("%p") == ["refuse"]


def test_bits_of_integers_are_not_asked_about() -> None:
    assert calls("%own") == []
