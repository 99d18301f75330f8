"""Finds the integers, memory and files whose contents become numbers later, in any analysed function."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Set

from ....ir.constants import Constant, ConstantInt
from ....ir.graphs import reachable
from ....ir.instructions import STORES
from ....ir.types import PointerType, is_int
from ....ir.value_edges import BEHIND_POINTER, COMPUTED_WORD
from ....ir.values import Function, Instruction, Value
from ....rules.knowledge import CalleeKind, Known
from ....rules.library_functions import known
from ....rules.streams.channels import (
    ASKS_DESCRIPTOR,
    DESCRIPTOR_OF,
    DESCRIPTORS,
    OPENS,
    STREAM_OF,
    channel_of_integers_read,
    channel_of_integers_written,
    channel_read,
    channel_written,
    reads_text,
    stream_written,
)
from ...callees import plain_name
from .moved_words import MovedWords

#: the beginning of an input or output statement of Fortran: it returns what the statement's other calls are given
_STATEMENT = "_FortranAioBegin"
#: names the file that such a statement opens: several units may lead there, one after the other
_FILE = "_FortranAioSetFile"

#: names of all that a pointer may point to: two pointers with a common name may overlap
PlaceNames = Set[Hashable]


class FedNumbers:
    """Follows numbers that are made of integers, or read from text and files, back to all that they are made of.

    `made`: the integers of which numbers are made. `read`: pointers at which numbers are read in another way.
    `where(pointer)`: the names of what it may point to. `skipped`: functions that read numbers, and do not count here.
    `outside`: functions of the program in which what is read does not count. `of_integers`: integers that are read from
    text or files count as numbers.
    """

    def __init__(
        self,
        functions: Mapping[str, Function],
        moved: MovedWords,
        where: Callable[[Value], PlaceNames],
        made: Iterable[Value],
        read: Iterable[Value],
        skipped: Container[str] = (),
        outside: Container[str] = (),
        of_integers: bool = False,
    ) -> None:
        self._moved, self._where = moved, where
        self._written = channel_of_integers_written if of_integers else channel_written
        read_from = channel_of_integers_read if of_integers else channel_read
        self._stored: dict[Hashable, list[Value]] = {}
        self._copied: dict[Hashable, list[PlaceNames]] = {}
        self._memory: set[Hashable] = set()
        self._values: Set[Value] = frozenset()
        inside = [f for name, f in functions.items() if name not in outside]
        calls = [i for f in inside for i in f.instructions() if i.opcode == "call"]
        library = [i for i in calls if i.callee_name not in functions]
        channels = [self._channel(i, read_from(_name(i))) for i in library if _name(i) not in skipped]
        names = frozenset().union(*channels, *map(where, read))
        starts = list(made)
        if starts or names:
            self._find_writes(functions.values())
            self._values = frozenset(reachable([*starts, *self._stored_in(names)], self._origins))

    def has(self, value: Value) -> bool:
        """Returns whether the integer becomes a number, or a part of one."""
        return value in self._values

    def reads(self, pointer: Value) -> bool:
        """Returns whether what is stored at the pointer becomes a number, or a part of one."""
        return bool(self._memory) and not self._memory.isdisjoint(self._where(pointer))

    def is_read_again(self, i: Instruction) -> bool:
        """Returns whether numbers may be read from the channel to which the call writes numbers."""
        return not self._memory.isdisjoint(self._channel(i, self._written(_name(i))))

    # -- what is written where

    def _channel(self, i: Instruction, operand: int | None) -> PlaceNames:
        if operand is None:
            return frozenset()
        if operand == DESCRIPTORS:
            return frozenset([DESCRIPTORS])
        if reads_text(_name(i)):
            return frozenset().union(*map(self._where, reachable(i.arguments[:1], self._holders)))
        return self._where(i.arguments[operand]) if operand < len(i.arguments) else frozenset()

    def _holders(self, v: Value) -> Iterable[Value]:
        """Returns where the pointer comes from, and the memory in which a library may have put it (strings of C++)."""
        row = known(_name(v)) if isinstance(v, Instruction) and v.opcode == "call" else None
        found: Iterable[Value] = BEHIND_POINTER.operands(v) or self._moved.origins(v)
        if isinstance(v, Instruction) and row is not None and row.kind is CalleeKind.INACTIVE:
            found = v.operands
        return (o for o in found if isinstance(o.type, PointerType) and not isinstance(o, Constant))

    def _find_writes(self, functions: Iterable[Function]) -> None:
        for i in (i for function in functions for i in function.instructions()):
            if i.opcode in STORES:
                value, pointer = i.operands if i.opcode == "store" else i.operands[::-1]
                if is_int(value.type) and not isinstance(value, Constant):
                    for name in self._where(pointer):
                        self._stored.setdefault(name, []).append(value)
            elif i.opcode == "call" and (row := known(_name(i))) is not None:
                for target, source in self._copies(i, row):
                    for name in target:
                        self._copied.setdefault(name, []).append(source)

    def _copies(self, i: Instruction, row: Known) -> Iterable[tuple[PlaceNames, PlaceNames]]:
        """Yields the names of targets and sources between which a library function may move characters."""
        name, arguments = _name(i), i.arguments
        if row.kind is CalleeKind.COPY:
            yield self._where(arguments[row.target]), self._where(arguments[row.source])
        elif row.kind is CalleeKind.ALLOCATE and row.copies is not None:
            yield self._where(i), self._where(arguments[row.copies])
        elif name.startswith(_STATEMENT):
            statement, unit = self._where(i), self._unit(arguments[0])
            yield statement, unit
            yield unit, statement
        elif name == _FILE:
            yield self._where(arguments[0]), self._where(arguments[1])
            yield self._where(arguments[1]), self._where(arguments[0])
        elif name in OPENS:
            yield self._where(arguments[0]), self._where(i)
            yield self._where(i), self._where(arguments[0])
        elif name in DESCRIPTOR_OF | STREAM_OF:
            yield from self._with_descriptor(i, name)
        elif name == "setenv":
            yield self._where(arguments[0]), self._where(arguments[1])
        elif row.kind is CalleeKind.INACTIVE:
            pointers = [a for a in arguments if isinstance(a.type, PointerType)]
            written = () if row.writes == "none" else range(len(arguments)) if row.writes == "any" else row.writes
            stream = stream_written(name)
            for k in (*written, *([] if stream is None else [stream])):
                if k < len(arguments) and isinstance(arguments[k].type, PointerType):
                    for source in (p for p in pointers if p is not arguments[k]):
                        yield self._where(arguments[k]), self._where(source)

    def _with_descriptor(self, i: Instruction, name: str) -> Iterable[tuple[PlaceNames, PlaceNames]]:
        """Yields the same for a stream and its descriptor, if the descriptor may be read or written."""
        if name in STREAM_OF or not all(_name(user) in ASKS_DESCRIPTOR for user in i.users):
            stream = self._where(i if name in STREAM_OF else i.arguments[0])
            yield stream, frozenset([DESCRIPTORS])
            yield frozenset([DESCRIPTORS]), stream

    def _unit(self, operand: Value) -> PlaceNames:
        """Returns the names of a file of Fortran, by its unit, or of a text in memory."""
        if isinstance(operand.type, PointerType):
            return self._where(operand)
        return frozenset([("unit", operand.value if isinstance(operand, ConstantInt) else None)])

    # -- backwards

    def _origins(self, v: Value) -> Iterable[Value]:
        if isinstance(v, Instruction):
            if v.opcode == "load":
                return self._stored_in(self._where(v.operands[0]))
            if v.opcode in COMPUTED_WORD:
                return v.operands
            if v.callee_name.startswith("@llvm."):
                return (a for a in v.arguments if is_int(a.type))
        return self._moved.origins(v)

    def _stored_in(self, names: PlaceNames) -> list[Value]:
        """Returns the integers that may be stored there, directly or by copies of memory."""
        found: list[Value] = []
        work = [names]
        while work:
            for name in work.pop() - self._memory:
                self._memory.add(name)
                found += self._stored.get(name, ())
                work += self._copied.get(name, ())
        return found


def _name(i: Instruction) -> str:
    return plain_name(i.callee_name)
