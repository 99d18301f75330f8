"""Finds texts out of whose characters numbers are put together, bit by bit: digits of an integer that is cast to one.

Two things make such a number. A library reads an integer (strtoull), or code does it itself, from several characters:
in a loop, or one after the other. Code that only moves a byte, such as the index of a variant, puts nothing together.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TypeGuard

from ....ir.graphs import reachable, strongly_connected
from ....ir.types import IntType, PointerType, is_int
from ....ir.value_edges import ANY_BITS, COMPUTED_WORD
from ....ir.values import Instruction, Value
from ....rules.streams.channels import channel_of_integers_read
from ...integers.digits import CHARACTERS, PointedPlace, depends_on_or_place
from ...values.moved_words import MovedWords
from .stored_integers import FollowedMemory, PlaceNames, StoredIntegers, name_of

#: an integer of this many characters or more is put together from digits, a byte of a number from these
_DIGITS, _DIGITS_OF_BYTE = 4, 2
_BYTE = 8


class DigitTexts:
    """Answers for the analysed functions. `words`: integers that become numbers; `bytes_`: those that become parts."""

    def __init__(
        self,
        calls: Iterable[Instruction],
        moved: MovedWords,
        writes: StoredIntegers,
        words: list[Value],
        bytes_: list[Value],
    ) -> None:
        self._moved, self._writes = moved, writes
        self._words: set[Hashable] = set()
        self._characters: dict[Value | PointedPlace, frozenset[Value]] = {}
        made = list(reachable([*words, *bytes_], self._parts))
        values = set(made)
        readers = [i for i in calls if channel_of_integers_read(name_of(i)) is not None]
        texts = [self._channel(i) for i in readers if i in values or self._gives_word(i)]
        found: set[Value | PointedPlace] = {*self._assembled(made, _DIGITS), *self._assembled(bytes_, _DIGITS_OF_BYTE)}
        characters, calls_behind = list[Value](), list[Instruction]()
        for v in reachable(found, self._origins):
            if _is_character(v):
                characters.append(v.operands[0])
            elif isinstance(v, Instruction) and v.opcode == "call":
                calls_behind.append(v)
        texts += [writes.text(*characters), *map(self._channel, calls_behind)]
        memory: set[Hashable] = set()
        writes.stored_in(frozenset().union(*texts), memory)
        self._followed = FollowedMemory(memory, writes)

    @property
    def is_empty(self) -> bool:
        """True if no number is put together from digits."""
        return self._followed.is_empty

    def has(self, pointer: Value) -> bool:
        """Returns whether the pointer leads into such a text."""
        return self._followed.has_characters(pointer)

    def is_channel(self, names: PlaceNames) -> bool:
        """Returns whether a library function that writes there writes to such a text."""
        return self._followed.has(names)

    # -- numbers made of integers

    def _parts(self, v: Value) -> Iterable[Value]:
        """Returns the integers that an integer is moved or computed from, words in memory among them."""
        if isinstance(v, Instruction):
            if v.opcode == "load":
                return () if _is_character(v) else self._writes.stored_in(self._where(v), self._words)
            if v.opcode in COMPUTED_WORD or v.callee_name.startswith("@llvm."):
                return v.operands
        return self._moved.origins(v)

    def _where(self, load: Instruction) -> PlaceNames:
        return self._writes.where(load.operands[0])

    def _gives_word(self, call: Instruction) -> bool:
        """Returns whether the function reads an integer to where integers lie that become numbers."""
        pointers = (a for a in call.arguments if isinstance(a.type, PointerType))
        return any(not self._words.isdisjoint(self._writes.where(p)) for p in pointers)

    def _channel(self, call: Instruction) -> PlaceNames:
        return self._writes.channel(call, channel_of_integers_read(name_of(call)))

    # -- integers put together from characters

    def _assembled(self, values: Iterable[Value], count: int) -> Iterator[Value]:
        for v in values:
            if isinstance(v, Instruction) and is_int(v.type) and not _is_character(v):
                found = len(self._characters_of(v))
                if found and (found >= count or _is_repeated(v)):
                    yield v

    def _characters_of(self, v: Value) -> frozenset[Value]:
        """Returns the characters that a value depends on; of many, only so many as are ever asked for."""
        for component in strongly_connected(v, _depends, self._characters):
            found: set[Value] = {u for u in component if _is_character(u)}
            for u in (u for member in component for u in _depends(member)):
                found |= self._characters.get(u, frozenset())
                if len(found) >= _DIGITS:
                    break
            self._characters.update(dict.fromkeys(component, frozenset(found)))
        return self._characters[v]

    def _origins(self, v: Value | PointedPlace) -> Iterable[Value | PointedPlace]:
        return _depends(v) if isinstance(v, PointedPlace) else (*_depends(v), *self._moved.origins(v))


def _is_character(v: Value | PointedPlace) -> TypeGuard[Instruction]:
    if not isinstance(v, Instruction) or v.opcode != "load" or not isinstance(v.type, IntType):
        return False
    return _BYTE <= v.type.bits <= CHARACTERS


def _computed_from(v: Value) -> Iterable[Value]:
    """Returns what an integer is computed from in its function."""
    if isinstance(v, Instruction):
        if v.opcode == "load":
            return _kept_in(v.operands[0])
        if v.callee_name.startswith("@llvm."):
            return v.arguments
    return ANY_BITS.operands(v)


def _kept_in(variable: Value) -> Iterable[Value]:
    """Returns what is stored in a local variable, or in those that are copied to it: a choice that stands in memory."""
    same = list(reachable([variable], _copied_to))
    return [u.operands[0] for v in same if _is_local(v) for u in v.users if u.opcode == "store" and u.operands[1] is v]


def _copied_to(variable: Value) -> Iterable[Value]:
    copies = (u for u in variable.users if u.callee_name.startswith("@llvm.memcpy.")) if _is_local(variable) else ()
    return [u.arguments[1] for u in copies if u.arguments[0] is variable]


def _is_local(v: Value) -> TypeGuard[Instruction]:
    return isinstance(v, Instruction) and v.opcode == "alloca"


def _depends(v: Value | PointedPlace) -> Iterable[Value | PointedPlace]:
    """Returns the same, and what the integer depends on."""
    return depends_on_or_place(v) if isinstance(v, PointedPlace) else (*_computed_from(v), *depends_on_or_place(v))


def _is_repeated(v: Value) -> bool:
    """True if the integer is computed from itself in an earlier iteration."""
    return v in reachable(_computed_from(v), _computed_from)
