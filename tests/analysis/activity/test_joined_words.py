"""Numbers made of words by integer arithmetic."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.joined_words import joined_words
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Argument

TEXT = """
define void @f(i64 %a, i64 %b, ptr %p) {{
  %made = {made}
  %number = bitcast i64 %made to double
  {use}
  ret void
}}
"""
STORE = "store double %number, ptr %p"


def words(made: str, use: str = STORE) -> list[str]:
    function = Module.parse(TEXT.format(made=made, use=use)).body("@f")
    cast = next(i for i in function.instructions() if i.opcode == "bitcast")
    return [word.name for word in joined_words(cast) if isinstance(word, Argument)]


@pytest.mark.parametrize("opcode", ["add", "sub", "mul", "sdiv", "srem"])
def test_arithmetic_joins_words(opcode: str) -> None:
    assert words(f"{opcode} i64 %a, %b") == ["a", "b"]


def test_a_word_may_be_joined_to_itself() -> None:
    assert words("mul i64 %a, %a") == ["a", "a"]


def test_a_word_may_be_negated() -> None:
    assert words("sub i64 0, %a") == ["a"]


@pytest.mark.parametrize("made", ["add i64 %a, 7", "and i64 %a, %b", "shl i64 %a, 3", "sub i64 12345, %a"])
def test_bits_of_one_number_are_no_words_of_unions(made: str) -> None:
    assert words(made) == []


def test_a_number_that_is_computed_with_is_none_of_a_union() -> None:
    assert words("add i64 %a, %b", "%twice = fadd double %number, %number") == []
