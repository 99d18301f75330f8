"""What the words of mixed memory may hold, as the runtime takes it, and the clearing of such words in shadows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...analysis.type_analysis.analysis import Kind
from ...ir.builder import Builder
from ...ir.folding import int_constant
from ...ir.values import Value
from ...rules import runtime_functions as runtime
from .layouts import constant_size
from .round import Round

#: bits of the runtime's tables: the numbers that a word may hold, which the runtime can add
NUMBER_BITS = {Kind.DOUBLE: 1, Kind.FLOAT: 2, Kind.X86_FP80: 4}
WORD_BITS = NUMBER_BITS | {Kind.POINTER: 8}
#: of a word of which nothing is known
_ANY_BITS = WORD_BITS[Kind.DOUBLE] | WORD_BITS[Kind.FLOAT] | WORD_BITS[Kind.POINTER]


#: stands for the number of bytes before the first whole word: addresses tell where words begin
_BY_ADDRESS = 8
#: is added to it where numbers may begin at any byte
_PACKED = 16


def table_of_words(round: Round, pointers: Iterable[Value], size: Value | None) -> tuple[Value, Value]:
    """Returns the runtime's table of what each word may hold, and the number of its rows.

    Before the rows stands the number of bytes before the first whole word.
    """
    return _table(round, list(pointers), size, True)


def table_of_numbers(round: Round, pointers: Iterable[Value], size: Value | None) -> tuple[Value, Value]:
    """Returns the same for the numbers alone that each word may hold."""
    return _table(round, list(pointers), size, False)


def _table(round: Round, pointers: list[Value], size: Value | None, all_kinds: bool) -> tuple[Value, Value]:
    count = constant_size(size)
    contents = round.types.contents_of(pointers, count)
    first = contents.first_word
    found = contents.words(integers=all_kinds, first=first or 0)
    rows = [bits_of(kinds) if all_kinds else sum(NUMBER_BITS.get(kind, 0) for kind in kinds) for kinds in found]
    begin = (_BY_ADDRESS if first is None else first) + _PACKED * all(
        round.types.contents(p, count).is_packed for p in pointers
    )
    return round.table([begin, *rows]), int_constant(len(rows))


def bits_of(kinds: Iterable[Kind]) -> int:
    """Returns what a word may hold as the runtime takes it. Of integers it takes no notice."""
    kinds = set(kinds)
    return sum(WORD_BITS.get(kind, 0) for kind in kinds) if kinds else _ANY_BITS


class Clearing(NamedTuple):
    """Memory whose shadow is cleared: of its pointers, or else of its numbers.

    `length` is the number of bytes in the primal function, `size` the same in the derivative.
    """

    pointer: Value
    length: Value
    size: Value
    pointers: bool


def clear_tagged(round: Round, b: Builder, shadow: Value, memory: Clearing) -> None:
    """Emits code that zeroes the pointers in the shadow and leaves numbers, or the other way round."""
    table, rows = table_of_words(round, [memory.pointer], memory.length)
    runtime.TAGGED_CLEAR.call(b, shadow, memory.size, int_constant(int(memory.pointers)), table, rows)
