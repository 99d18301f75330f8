"""Damaged text is parsed or refused with IRSyntaxError; nothing else happens."""

from __future__ import annotations

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from enzyme_cc.ir.text.lexer import IRSyntaxError, tokenize
from tests.ir.llvm_check import parsed
from tests.ir.test_control_flow import DECLARATIONS, FUNCTIONS
from tests.ir.test_instructions import VALID, in_function
from tests.ir.test_module import TEXT

LINES = VALID.strip().splitlines()
WORDS = [
    "",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "i32",
    "ptr",
    "%p",
    "@f",
    "1",
    "to",
    "align",
    "!0",
    '"',
    "null",
]


def survives(text: str) -> None:
    with contextlib.suppress(IRSyntaxError):
        str(parsed(text))


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(LINES), st.integers(0, 30), st.sampled_from(WORDS), st.booleans())
def test_a_damaged_instruction(line: str, place: int, word: str, insert: bool) -> None:
    tokens = tokenize(line)
    place %= len(tokens)
    tokens[place : place + (not insert)] = [word]
    survives(in_function(" ".join(tokens)))


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([*FUNCTIONS.values(), TEXT]),
    st.integers(0, 4000),
    st.sampled_from([*WORDS, "\n"]),
    st.integers(0, 9),
)
def test_a_damaged_module(text: str, place: int, word: str, length: int) -> None:
    text = DECLARATIONS + text
    place %= len(text)
    survives(text[:place] + word + text[place + length :])
