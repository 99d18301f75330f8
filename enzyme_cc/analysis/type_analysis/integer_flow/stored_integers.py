"""What integers and characters code stores where, and between which memory, files and streams it moves them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from ....ir.constants import Constant, ConstantInt
from ....ir.graphs import reachable
from ....ir.instructions import STORES
from ....ir.types import IntType, PointerType, is_int, scalar
from ....ir.value_edges import BEHIND_POINTER, SAME_OBJECT
from ....ir.values import Function, Instruction, Value
from ....rules.knowledge import CalleeKind, Known
from ....rules.library_functions import known
from ....rules.streams.channels import (
    ASKS_DESCRIPTOR,
    DESCRIPTOR_OF,
    DESCRIPTORS,
    OPENS,
    STREAM_OF,
    reads_text,
    stream_written,
)
from ...callees import plain_name
from ...integers.digits import CHARACTERS
from ...values.moved_words import MovedWords

#: the beginning of an input or output statement of Fortran: it returns what the statement's other calls are given
_STATEMENT = "_FortranAioBegin"
#: names the file that such a statement opens: several units may lead there, one after the other
_FILE = "_FortranAioSetFile"

#: names of all that a pointer may point to: two pointers with a common name may overlap
PlaceNames = frozenset[Hashable]


class HeldText(NamedTuple):
    """The characters of a text whose address lies in the named memory, such as those of a string of C++.

    They may lie there, too. What libraries write there counts, and characters that code stores: other integers of the
    same object are none.
    """

    name: Hashable


class _Found(NamedTuple):
    """For each name: the integers that are stored there, and the names from which bytes are copied there."""

    stored: dict[Hashable, list[Value]]
    copied: dict[Hashable, list[PlaceNames]]


class StoredIntegers:
    """What these functions store and move. `where(pointer)`: the names of what it may point to."""

    def __init__(self, functions: Iterable[Function], moved: MovedWords, where: Callable[[Value], PlaceNames]) -> None:
        self.where, self._moved, self._functions = where, moved, functions

    def stored_in(self, names: PlaceNames, memory: set[Hashable]) -> list[Value]:
        """Returns the integers that may be stored there, directly or by copies, and adds the names to `memory`.

        What is in `memory` already does not count.
        """
        found: list[Value] = []
        work = [names]
        while work:
            for name in work.pop() - memory:
                memory.add(name)
                found += self._found.stored.get(name, ())
                work += self._found.copied.get(name, ())
        return found

    def channel(self, i: Instruction, operand: int | None) -> PlaceNames:
        """Returns the names of what the operand of a library function names: a text, a stream, file descriptors."""
        if operand is None:
            return frozenset()
        if operand == DESCRIPTORS:
            return frozenset([DESCRIPTORS])
        if reads_text(name_of(i)):
            return self.text(i.arguments[0])
        return self.characters(i.arguments[operand]) if operand < len(i.arguments) else frozenset()

    def texts(self, *pointers: Value) -> Iterator[tuple[PlaceNames, bool]]:
        """Yields the names of a text at one of the pointers, and of the strings that gave its address.

        With each set: whether the text is one that they hold (`HeldText`).
        """
        own = list(reachable(pointers, self._same_object))
        yield from ((self.where(pointer), False) for pointer in own)
        for holder in frozenset(reachable(own, self._holders)).difference(own):
            yield self.where(holder), True

    def text(self, *pointers: Value) -> PlaceNames:
        """Returns the same names, as one set."""
        return frozenset(HeldText(n) if is_held else n for names, is_held in self.texts(*pointers) for n in names)

    def characters(self, pointer: Value) -> PlaceNames:
        """Returns the names of what is accessed at the pointer as characters: of a text, or of one that it holds."""
        names = self.where(pointer)
        return frozenset([*names, *map(HeldText, names)])

    def _same_object(self, v: Value) -> Iterable[Value]:
        found = SAME_OBJECT.operands(v) or self._moved.origins(v)
        return (o for o in found if isinstance(o.type, PointerType) and not isinstance(o, Constant))

    def _holders(self, v: Value) -> Iterable[Value]:
        """Returns where the pointer comes from, and the memory in which a library may have put it (strings of C++)."""
        row = known(name_of(v)) if isinstance(v, Instruction) and v.opcode == "call" else None
        found: Iterable[Value] = BEHIND_POINTER.operands(v) or self._moved.origins(v)
        if isinstance(v, Instruction) and row is not None and row.kind is CalleeKind.INACTIVE:
            found = v.operands
        return (o for o in found if isinstance(o.type, PointerType) and not isinstance(o, Constant))

    @cached_property
    def _found(self) -> _Found:
        found = _Found({}, {})
        for i in (i for function in self._functions for i in function.instructions()):
            if i.opcode in STORES:
                value, pointer = i.operands if i.opcode == "store" else i.operands[::-1]
                if is_int(value.type) and not isinstance(value, Constant):
                    for name in self.characters(pointer) if is_character(value) else self.where(pointer):
                        found.stored.setdefault(name, []).append(value)
            elif i.opcode == "call" and (row := known(name_of(i))) is not None:
                is_copy = row.kind is CalleeKind.COPY  # perhaps of another member than the address of a text
                for target, source in self._copies(i, row):
                    held = frozenset([*map(HeldText, source), *(() if is_copy else source)])
                    for name in target:
                        found.copied.setdefault(name, []).append(source)
                        found.copied.setdefault(HeldText(name), []).append(held)
        return found

    def _copies(self, i: Instruction, row: Known) -> Iterable[tuple[PlaceNames, PlaceNames]]:
        """Yields the names of targets and sources between which a library function may move characters."""
        name, arguments = name_of(i), i.arguments
        if row.kind is CalleeKind.COPY:
            yield self.where(arguments[row.target]), self.where(arguments[row.source])
        elif row.kind is CalleeKind.ALLOCATE and row.copies is not None:
            yield self.where(i), self.where(arguments[row.copies])
        elif name.startswith(_STATEMENT):
            statement, unit = self.where(i), self._unit(arguments[0])
            yield statement, unit
            yield unit, statement
        elif name == _FILE:
            yield self.where(arguments[0]), self.where(arguments[1])
            yield self.where(arguments[1]), self.where(arguments[0])
        elif name in OPENS:
            yield self.where(arguments[0]), self.where(i)
            yield self.where(i), self.where(arguments[0])
        elif name in DESCRIPTOR_OF | STREAM_OF:
            yield from self._with_descriptor(i, name)
        elif name == "setenv":
            yield self.where(arguments[0]), self.where(arguments[1])
        elif row.kind is CalleeKind.INACTIVE:
            yield from self._passed(i, row)

    def _passed(self, i: Instruction, row: Known) -> Iterable[tuple[PlaceNames, PlaceNames]]:
        """Yields the same for a function of which only a row tells: to what it writes, its streams and its result."""
        arguments = i.arguments
        pointers = [a for a in arguments if isinstance(a.type, PointerType)]
        written = () if row.writes == "none" else range(len(arguments)) if row.writes == "any" else row.writes
        stream = stream_written(name_of(i))
        for k in (*written, *([] if stream is None else [stream])):
            if k < len(arguments) and isinstance(arguments[k].type, PointerType):
                for source in (p for p in pointers if p is not arguments[k]):
                    yield self.where(arguments[k]), self.where(source)
        if isinstance(i.type, PointerType):  # perhaps a text that the library made
            yield from ((self.where(i), self.where(source)) for source in pointers)

    def _with_descriptor(self, i: Instruction, name: str) -> Iterable[tuple[PlaceNames, PlaceNames]]:
        """Yields the same for a stream and its descriptor, if the descriptor may be read or written."""
        if name in STREAM_OF or not all(name_of(user) in ASKS_DESCRIPTOR for user in i.users):
            stream = self.where(i if name in STREAM_OF else i.arguments[0])
            yield stream, frozenset([DESCRIPTORS])
            yield frozenset([DESCRIPTORS]), stream

    def _unit(self, operand: Value) -> PlaceNames:
        """Returns the names of a file of Fortran, by its unit, or of a text in memory."""
        if isinstance(operand.type, PointerType):
            return self.where(operand)
        return frozenset([("unit", operand.value if isinstance(operand, ConstantInt) else None)])


class FollowedMemory:
    """Memory that was followed to its end, by its names: tells which pointers lead there.

    Pointers to the same memory have one set of names (PointsTo.names_at), and each set is looked through once.
    """

    def __init__(self, names: Iterable[Hashable], writes: StoredIntegers) -> None:
        self._writes = writes
        self._names = frozenset(names)
        self._held = frozenset(name.name for name in self._names if isinstance(name, HeldText))
        self._met: dict[tuple[PlaceNames, bool], bool] = {}

    @property
    def is_empty(self) -> bool:
        return not self._names

    def has(self, names: PlaceNames, is_held: bool = False) -> bool:
        """Returns whether one of the names is among them; if `is_held`, whether a text that it holds is."""
        key = names, is_held
        if key not in self._met:
            self._met[key] = not names.isdisjoint(self._held if is_held else self._names)
        return self._met[key]

    def has_text(self, pointer: Value) -> bool:
        """Returns whether a text at the pointer is there, or the string that gave its address."""
        return not self.is_empty and any(self.has(names, is_held) for names, is_held in self._writes.texts(pointer))

    def has_characters(self, pointer: Value) -> bool:
        """Returns the same, and whether a text is there that is held at the pointer."""
        return self.has_text(pointer) or (not self.is_empty and self.has(self._writes.where(pointer), True))


def is_character(value: Value) -> bool:
    """Returns whether an integer may be a character, or two: a larger one is none."""
    element = scalar(value.type)
    return isinstance(element, IntType) and element.bits <= CHARACTERS


def name_of(i: Instruction) -> str:
    return plain_name(i.callee_name)
