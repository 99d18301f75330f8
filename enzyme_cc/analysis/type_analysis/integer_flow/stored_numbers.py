"""Finds memory in which code may have put bits of numbers: integers that only become numbers elsewhere do not count."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from ....ir.constants import GlobalRef
from ....ir.graphs import reachable
from ....ir.instructions import ATOMIC_UPDATES
from ....ir.types import FloatType, IntType, PointerType, holds, scalar
from ....ir.value_edges import ANY_BITS
from ....ir.values import Function, Instruction, Value
from ....rules.knowledge import CalleeKind, Known
from ....rules.library_functions import known
from ....rules.streams.channels import channel_of_integers_read
from ....rules.streams.file_bytes import reads_bytes
from ...callees import plain_name
from .stored_integers import PlaceNames

#: the name of all memory in which code that is not analysed may write
EXTERNAL = "external"
_ANYWHERE = "anywhere"
#: a byte may be a part of anything
_BYTE = 8


class _Numbers(NamedTuple):
    """Memory in which a number was put as a number, or by copies from there: accesses tell where it lies."""

    name: Hashable


class _Written(Struct, frozen=True):
    """Something is put in memory that has these names: numbers, or bits of them."""

    names: PlaceNames
    are_numbers: bool


class _Read(Struct, frozen=True):
    """Such memory is read there."""

    names: PlaceNames
    are_numbers: bool


class StoredNumbers:
    """Follows numbers, and integers or pointers that may be bits of them, forwards through the analysed functions.

    What is written and read through pointers with the same names is one node of the graph: an allocator's memory has as
    many names as the program has calls of it.

    `where(pointer)`: the names of what it may point to; `EXTERNAL` is one if code that is not analysed may write there.
    `is_other(load)`: what it loads is declared to be no number. `overlaps(load)`: a number may be accessed where it
    loads an integer.
    """

    def __init__(
        self,
        functions: Mapping[str, Function],
        where: Callable[[Value], PlaceNames],
        is_other: Callable[[Instruction], bool],
        overlaps: Callable[[Instruction], bool],
    ) -> None:
        self._functions, self._where, self._is_other, self._overlaps = functions, where, is_other, overlaps
        self._calls: dict[str, list[Instruction]] = {}
        self._readers: dict[PlaceNames, list[Instruction]] = {}
        self._named: dict[Hashable, list[PlaceNames]] = {}  # the sets of names that readers have, by each name
        self._met: dict[PlaceNames, tuple[bool, bool]] = {}
        found = [i for f in functions.values() for i in f.instructions()]
        sources: list[Hashable] = [_Numbers(EXTERNAL), *(v for i in found for v in self._enter(i))]
        sources += [a for f in functions.values() if f.name not in self._calls for a in f.arguments if _is_integer(a)]
        #: values that may be bits of numbers, and names of memory that may hold some
        self._reached = frozenset(reachable(sources, self._next))

    def may_be_at(self, pointer: Value) -> bool:
        """Returns whether a number, or bits of one, may have been put where the pointer points."""
        return any(self._put_at(self._where(pointer)))

    def are_bits_at(self, pointer: Value) -> bool:
        """Returns whether bits of a number may have been put there as integers or pointers, at any place."""
        return self._put_at(self._where(pointer))[0]

    def _put_at(self, names: PlaceNames) -> tuple[bool, bool]:
        """Returns whether bits may have been put there, and whether numbers may."""
        found = self._met.get(names)
        if found is None:
            are_bits = _ANYWHERE in self._reached or not self._reached.isdisjoint(names)
            found = self._met[names] = are_bits, not self._reached.isdisjoint(map(_Numbers, names))
        return found

    def _enter(self, i: Instruction) -> Iterator[Hashable]:
        """Notes who reads memory, and yields what the instruction itself makes bits of numbers."""
        if i.opcode == "load" and not self._is_other(i):
            self._read(i, i.operands[0])
        elif i.opcode == "store" and holds(i.operands[0].type, FloatType):
            yield _Written(self._where(i.operands[1]), True)
        elif i.opcode == "bitcast" and holds(i.operands[0].type, FloatType) and not holds(i.type, FloatType):
            yield i
        elif i.opcode in ATOMIC_UPDATES:
            yield _Written(self._where(i.operands[0]), False)
        elif i.opcode == "call":
            yield from self._enter_call(i)

    def _enter_call(self, i: Instruction) -> Iterator[Hashable]:
        callee = i.callee_name
        if not callee:
            yield i
        if callee in self._functions:
            self._calls.setdefault(callee, []).append(i)
            return
        row = known(plain_name(callee))
        copy = _copy(i)
        if copy is not None:
            self._read(i, i.arguments[copy.source])
        elif row is None or row.kind is CalleeKind.INACTIVE:
            writes = [a for k, a in enumerate(i.arguments) if row is None or _may_write_bits(callee, row, k)]
            for argument in (a for a in writes if isinstance(a.type, PointerType)):
                yield _Written(self._where(argument), False)

    def _read(self, i: Instruction, pointer: Value) -> None:
        names = self._where(pointer)
        if names not in self._readers:
            self._readers[names] = []
            for name in names:
                self._named.setdefault(name, []).append(names)
        self._readers[names].append(i)

    def _next(self, found: Hashable) -> Iterable[Hashable]:
        """Returns what gets the bits from a value or from memory."""
        if isinstance(found, _Written):
            return map(_Numbers, found.names) if found.are_numbers else found.names
        if isinstance(found, _Read):
            return self._read_numbers(found.names) if found.are_numbers else self._readers[found.names]
        if isinstance(found, _Numbers):
            return (_Read(names, True) for names in self._named.get(found.name, ()))
        if not isinstance(found, Value):
            return (_Read(names, False) for names in self._named.get(found, ()))
        copy = _copy(found) if isinstance(found, Instruction) and found.opcode == "call" else None
        if isinstance(found, Instruction) and copy is not None:
            return [_Written(self._where(found.arguments[copy.target]), False)]
        if isinstance(scalar(found.type), FloatType):
            return ()  # what is stored as a number was found at once
        return [n for user in getattr(found, "users", ()) for n in self._given_to(user, found)]

    def _read_numbers(self, names: PlaceNames) -> Iterator[Hashable]:
        for reader in self._readers[names]:
            copy = _copy(reader) if reader.opcode == "call" else None
            if copy is not None:
                yield _Written(self._where(reader.arguments[copy.target]), True)
            elif not isinstance(reader.type, IntType) or reader.type.bits <= _BYTE or self._overlaps(reader):
                yield reader

    def _given_to(self, user: Instruction, value: Value) -> Iterable[Hashable]:
        if user.opcode in ANY_BITS:
            return [user]
        if user.opcode == "store":
            return [_Written(self._where(user.operands[1]), False)] if user.operands[0] is value else ()
        if user.opcode == "ret":
            function = user.block.function if user.block is not None else None
            return self._calls.get(function.name, ()) if function is not None else ()
        if user.opcode != "call":
            return ()
        callee = self._functions.get(user.callee.name) if isinstance(user.callee, GlobalRef) else None
        if callee is not None:
            parameters = zip(user.arguments, callee.arguments, strict=False)
            is_variadic = len(user.arguments) > len(callee.arguments)
            return [p for a, p in parameters if a is value] + ([_ANYWHERE] if is_variadic else [])
        is_known = isinstance(user.callee, GlobalRef) and known(plain_name(user.callee.name)) is not None
        is_address = isinstance(value.type, PointerType)
        return [user] if is_known or is_address or user.callee_name.startswith("@llvm.") else [user, _ANYWHERE]


def _may_write_bits(callee: str, row: Known, operand: int) -> bool:
    """Returns whether a library function may write bits of a number behind the operand, which it reads elsewhere."""
    if operand not in row.integers:
        return row.writes != "none"
    name = plain_name(callee)
    passes = any(operands != "none" for operands in (row.moves, row.moves_text, row.characters))
    return passes or reads_bytes(name) or channel_of_integers_read(name) is not None


def _is_integer(value: Value) -> bool:
    return isinstance(scalar(value.type), IntType)


def _copy(call: Instruction) -> Known | None:
    """Returns the row of a function that copies memory; None for other functions."""
    row = known(plain_name(call.callee_name))
    return row if row is not None and row.kind is CalleeKind.COPY else None
