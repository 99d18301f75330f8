"""Finds integers on which the bits of numbers depend: those that numbers are made of, or tested for, or looked up by.

They are followed backwards through arithmetic, tests, tables, memory, calls and streams, in all analysed functions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Set

from ....ir.graphs import reachable
from ....ir.instructions import STORES
from ....ir.types import PointerType
from ....ir.value_edges import ANY_BITS
from ....ir.values import Instruction, Value
from ....rules.streams.channels import channel_of_integers_read
from ....rules.streams.file_bytes import reads_bytes
from ...integers.digits import PointedPlace, decides_whether, depends_on_or_place
from ...values.moved_words import MovedWords
from .stored_integers import FollowedMemory, StoredIntegers, is_character, name_of


class DecidingIntegers:
    """Answers for the analysed functions. `made`: integers and copies that become numbers, or parts of numbers."""

    def __init__(
        self, calls: Iterable[Instruction], moved: MovedWords, writes: StoredIntegers, made: Iterable[Value]
    ) -> None:
        self._moved, self._writes = moved, writes
        self._memory: set[Hashable] = set()
        readers = [i for i in calls if reads_bytes(name_of(i)) or channel_of_integers_read(name_of(i)) is not None]
        pointers = [a for i in readers for a in i.arguments if isinstance(a.type, PointerType)]
        stored = writes.stored_in(writes.text(*pointers), self._memory)
        starts: list[Value | PointedPlace] = [*made, *stored]
        self._values: Set[Value | PointedPlace] = frozenset(reachable(starts, self._origins))
        self._followed = FollowedMemory(self._memory, writes)

    def has(self, value: Value) -> bool:
        """Returns whether bits of a number depend on the integer."""
        return value in self._values

    def are_at(self, pointer: Value) -> bool:
        """Returns whether bits of a number depend on the characters at the pointer, or on all that is there."""
        return self._followed.has_characters(pointer)

    def is_stored(self, store: Instruction) -> bool:
        """Returns whether bits of a number depend on the integer that is stored."""
        value, pointer = store.operands
        if self.has(value):
            return True
        return self.are_at(pointer) if is_character(value) else self._followed.has_text(pointer)

    def _origins(self, v: Value | PointedPlace) -> Iterable[Value | PointedPlace]:
        if isinstance(v, PointedPlace):
            return depends_on_or_place(v)
        if not isinstance(v, Instruction):
            return self._moved.origins(v)
        if v.opcode == "load":
            return (*self._writes.stored_in(self._writes.where(v.operands[0]), self._memory), *depends_on_or_place(v))
        if v.opcode in STORES:
            return (*v.operands, PointedPlace(v.operands[1]), *decides_whether(v))
        return (*ANY_BITS.operands(v), *self._moved.origins(v), *depends_on_or_place(v))
