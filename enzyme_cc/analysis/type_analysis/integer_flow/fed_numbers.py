"""Finds the integers, memory and files whose contents become numbers later, in any analysed function."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Set
from typing import Literal

from ....ir.graphs import reachable
from ....ir.types import is_int
from ....ir.value_edges import COMPUTED_WORD
from ....ir.values import Function, Instruction, Value
from ....rules.streams.channels import (
    channel_of_characters_read,
    channel_of_characters_written,
    channel_of_integers_read,
    channel_of_integers_written,
    channel_read,
    channel_written,
)
from ...values.moved_words import MovedWords
from .stored_integers import StoredIntegers, name_of

#: what is read and written: numbers, integers too that may hold their bits, or characters that may be their bytes
Sort = Literal["numbers", "integers", "characters"]
_Channel = Callable[[str], int | None]
_CHANNELS: dict[Sort, tuple[_Channel, _Channel]] = {
    "numbers": (channel_written, channel_read),
    "integers": (channel_of_integers_written, channel_of_integers_read),
    "characters": (channel_of_characters_written, channel_of_characters_read),
}


class FedNumbers:
    """Follows numbers that are made of integers, or read from text and files, back to all that they are made of.

    `writes`: what the functions write. `made`: the integers of which numbers are made. `read`: pointers at which
    numbers are read in another way. `skipped`: functions that read numbers, and do not count here. `outside`:
    functions of the program in which what is read does not count. `sort`: what is read from text and files.
    """

    def __init__(
        self,
        functions: Mapping[str, Function],
        moved: MovedWords,
        writes: StoredIntegers,
        made: Iterable[Value],
        read: Iterable[Value],
        skipped: Container[str] = (),
        outside: Container[str] = (),
        sort: Sort = "numbers",
    ) -> None:
        self._moved, self._writes = moved, writes
        self._written, read_from = _CHANNELS[sort]
        self._memory: set[Hashable] = set()
        self._values: Set[Value] = frozenset()
        inside = [f for name, f in functions.items() if name not in outside]
        calls = [i for f in inside for i in f.instructions() if i.opcode == "call"]
        library = [i for i in calls if i.callee_name not in functions]
        channels = [writes.channel(i, read_from(name_of(i))) for i in library if name_of(i) not in skipped]
        names = frozenset().union(*channels, *map(writes.where, read))
        starts = list(made)
        if starts or names:
            stored = writes.stored_in(names, self._memory)
            self._values = frozenset(reachable([*starts, *stored], self._origins))

    def has(self, value: Value) -> bool:
        """Returns whether the integer becomes a number, or a part of one."""
        return value in self._values

    def reads(self, pointer: Value, *, is_character: bool = False) -> bool:
        """Returns whether what is stored at the pointer becomes a number, or a part of one."""
        where = self._writes.characters if is_character else self._writes.where
        return bool(self._memory) and not self._memory.isdisjoint(where(pointer))

    def is_read_again(self, i: Instruction) -> bool:
        """Returns whether numbers may be read from the channel to which the call writes numbers."""
        return not self._memory.isdisjoint(self._writes.channel(i, self._written(name_of(i))))

    def _origins(self, v: Value) -> Iterable[Value]:
        if isinstance(v, Instruction):
            if v.opcode == "load":
                return self._writes.stored_in(self._writes.where(v.operands[0]), self._memory)
            if v.opcode in COMPUTED_WORD:
                return v.operands
            if v.callee_name.startswith("@llvm."):
                return (a for a in v.arguments if is_int(a.type))
        return self._moved.origins(v)
