"""The table of instructions: it has a row for every opcode that is parsed, and its sets mean what they say."""

from __future__ import annotations

from enzyme_cc.ir import instructions
from enzyme_cc.ir.instructions import INSTRUCTIONS
from enzyme_cc.ir.text.opcodes import PARSERS

#: words before `call`, which are parsed to one
_CALL_WORDS = {"tail", "musttail", "notail"}


def test_every_opcode_that_is_parsed_has_a_row() -> None:
    assert PARSERS.keys() - _CALL_WORDS == INSTRUCTIONS.keys()


def test_pure_instructions_touch_no_memory_and_end_no_block() -> None:
    touching = instructions.READS_MEMORY | instructions.WRITES_MEMORY | instructions.TERMINATORS
    assert not instructions.MAKES_VALUE & touching


def test_sets_of_what_passes_through_unchanged() -> None:
    assert {"phi", "select", "freeze"} == instructions.COPIES
    assert {"phi", "select"} == instructions.CHOICES
    assert {"freeze", "bitcast", "addrspacecast"} == instructions.SAME_VALUE
