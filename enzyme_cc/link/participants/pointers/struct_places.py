"""Which member of which struct type an address computation in LLVM's text leads to.

A member is named by the types of all members before it. So it is the same in all structs that begin alike. Programs in
C use such structs as base and derived types, although C's rule of aliasing forbids that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from enzyme_cc.link.inputs.module_text import NAME, ModuleText
from enzyme_cc.link.participants.pointers.pointer_targets import first_type, type_parts

_TYPE = re.compile(rf"^(%{NAME}) = type (.*)$", re.M)
_NUMBER = re.compile(r"(%[-\w$.]*?)\.\d+(?![-\w$.])")
_WORDS = re.compile(r"getelementptr (?:inbounds |nuw |nusw )*\(?")
_ARRAY = re.compile(r"\[\d+ x (.*)\]$", re.S)
_QUOTED = re.compile(r'%"([^"]*)"')
_STRING = re.compile(r'\bc"[^"]*"')
_PADDING = re.compile(r"\[\d+ x i8\] ")
_INDEX = re.compile(r"i\d+ (\S+)")


def plain(text: str) -> str:
    """Returns text of LLVM in which names of types have no spaces and brackets, and strings are left out."""
    unquoted_types = _QUOTED.sub(lambda found: "%" + re.sub(r"[^-\w$.]", "_", found[1]), text) if '"' in text else text
    return _STRING.sub("zeroinitializer", unquoted_types)


class StructMember(Struct, frozen=True):
    """A member of a struct type: the types of all scalars before it, and their number."""

    before: str
    index: int


class Address(Struct, frozen=True):
    """What a `getelementptr` computes.

    `member` is the innermost member of a named struct, `base` the operand if no such member is on the way, and `type`
    the type of what is at the address.
    """

    member: StructMember | None
    base: str | None
    type: str


class Structs(Struct, frozen=True, dict=True):
    """The named struct types of a module."""

    module: ModuleText

    @cached_property
    def _bodies(self) -> dict[str, str]:
        head = self.module.text[: max(self.module.text.find("\ndefine "), 0) or None]
        return dict(_TYPE.findall(plain(head)))

    @cached_property
    def _members(self) -> dict[str, list[str] | None]:
        """The types of members that were asked for."""
        return {}

    def members(self, type_: str) -> list[str] | None:
        """Returns the types of a struct's members. None if the type is no struct, or unknown."""
        if type_ not in self._members:
            self._members[type_] = self._parsed_members(type_)
        return self._members[type_]

    def _parsed_members(self, type_: str) -> list[str] | None:
        body = self._bodies.get(type_, "") if type_.startswith("%") else type_
        body = body.removeprefix("<").removesuffix(">")
        return list(type_parts(body[1:])) if body.startswith("{") else None

    def member(self, type_: str, index: int) -> StructMember | None:
        """Returns a member of a struct type. None for a type without a name."""
        if not type_.startswith("%"):
            return None
        before = [scalar for member in (self.members(type_) or [])[:index] for scalar in self._scalars(member)]
        return StructMember(",".join(before), len(before))

    def _scalars(self, type_: str) -> Iterator[str]:
        members = self.members(type_)
        if members is None:
            yield _NUMBER.sub(r"\1", type_)
        for member in members or ():
            yield from self._scalars(member)

    def first(self, type_: str, member: StructMember | None = None) -> tuple[StructMember | None, str]:
        """Returns the innermost member at the first byte of a type, and its type."""
        while True:
            array, members = _ARRAY.match(type_), self.members(type_)
            if array:
                type_ = array[1]
            elif members:
                member = self.member(type_, 0)
                type_ = members[0]
            else:
                return member, type_

    def address(self, computed: str) -> Address | None:
        """Returns what the text of a `getelementptr` computes. None if its types do not tell."""
        words = _WORDS.match(computed)
        if words is None:
            return None
        type_, *operands = type_parts(computed[words.end() :] + ")")
        if not operands or not operands[0].startswith("ptr "):
            return None
        is_plain, member = True, None
        for operand in operands[2:]:
            array, members = _ARRAY.match(type_), self.members(type_)
            if array:
                type_ = array[1]
                continue
            index = _INDEX.match(operand)
            if members is None or index is None or not index[1].isdigit():
                return None
            is_plain = False
            member = self.member(type_, int(index[1]))
            type_ = members[int(index[1])]
        member, type_ = self.first(type_, member)
        is_plain = is_plain and member is None
        return Address(member, operands[0].removeprefix("ptr ") if is_plain else None, type_)

    def initial(
        self, type_: str, value: str, member: StructMember | None = None
    ) -> Iterator[tuple[StructMember | None, str]]:
        """Yields the scalars of an initial value, each with the innermost member that it is the value of.

        clang gives a value another type than its variable's if that has bytes between members. Then all structs with
        such members count.
        """
        array, members = _ARRAY.match(type_), self.members(type_)
        if value[:1] not in "{[<" or not (array or members):
            yield member, value
            return
        parts = list(type_parts(value.removeprefix("<").removesuffix(">")[1:]))
        if array:
            for part in parts:
                yield from self.initial(*_type_and_value(part), member)
            return
        is_named = type_.startswith("%")
        inner = parts if is_named else [part for part in parts if not _PADDING.match(part)]
        for struct in [type_] if is_named else self._by_scalars.get(self._signature(type_), [type_]):
            for index, part in enumerate(inner):
                yield from self.initial(*_type_and_value(part), self.member(struct, index))

    @cached_property
    def _by_scalars(self) -> dict[tuple[str, ...], list[str]]:
        """The named structs by the types of their scalars."""
        found: dict[tuple[str, ...], list[str]] = {}
        for name in self._bodies:
            found.setdefault(self._signature(name), []).append(name)
        return found

    def _signature(self, type_: str) -> tuple[str, ...]:
        """Returns the types of a type's scalars, without arrays of bytes: these may lie between members."""
        array, members = _ARRAY.match(type_), self.members(type_)
        if array:
            return () if array[1] == "i8" else (type_.partition(" x ")[0], *self._signature(array[1]), "]")
        if members is None:
            return (type_,)
        return tuple(scalar for member in members for scalar in self._signature(member))


def _type_and_value(part: str) -> tuple[str, str]:
    type_ = first_type(part)
    return type_, part[len(type_) + 1 :]
