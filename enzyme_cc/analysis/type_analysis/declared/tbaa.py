"""Type-based alias metadata (`!tbaa`): struct-path access tags, as LLVM's TypeBasedAliasAnalysis.cpp defines them.

A tag names the base type that an access goes through, the scalar type of the access, and the offset in the base. Type
nodes form a tree below a root. A struct's node lists each field with its offset.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec import Struct

from ....ir.module import Module
from ....ir.target import architecture_of
from ....ir.types import IntType, store_size
from ....ir.value_edges import COMPUTED_IN_PLACE
from ....ir.values import Instruction, Local
from ...values.flow import uses
from ..kinds import Kind, Tag

_OPERAND = re.compile(r'!"(?:[^"\\]|\\.)*"|!\d+|i\d+ -?\d+|null|true|false')
#: the name of the type of `char`, and of accesses that may be to anything
ANY_TYPE = "omnipotent char"
#: declares that a load gives an integer, where clang declares no type (link/merged_module/threads/atomic_pointers.py)
INTEGER = "!enzyme.integer"
#: scalar type names of clang's C and C++; pointers are `any pointer`, `p1 double`, `vtable pointer`
_SCALARS = {
    "double": Tag(Kind.DOUBLE, 8),
    "float": Tag(Kind.FLOAT, 4),
    "_Float16": Tag(Kind.HALF, 2),
    "__fp16": Tag(Kind.HALF, 2),
    "__bf16": Tag(Kind.BFLOAT, 2),
    "__float128": Tag(Kind.FP128, 16),
    "_Float128": Tag(Kind.FP128, 16),
    "bool": Tag(Kind.INTEGER, 1),
    "short": Tag(Kind.INTEGER, 2),
    "int": Tag(Kind.INTEGER, 4),
    "long": Tag(Kind.INTEGER, 8),
    "long long": Tag(Kind.INTEGER, 8),
    "__int128": Tag(Kind.INTEGER, 16),
    "wchar_t": Tag(Kind.INTEGER, 4),
    "char16_t": Tag(Kind.INTEGER, 2),
    "char32_t": Tag(Kind.INTEGER, 4),
    "vtable pointer": Tag(Kind.POINTER, 8),
    "any pointer": Tag(Kind.POINTER, 8),
}
_LONG_DOUBLE = {"x86_fp80": Tag(Kind.X86_FP80, 10), "fp128": Tag(Kind.FP128, 16)}
_DESCRIPTOR_MEMBER = "descriptor member"
#: the struct of a descriptor's dimension in toolchain/stand_ins/fortran.h
_DIMENSION = "ez_dimension"
#: names of integers of any size: C's, and those in flang's array descriptors
_INTEGERS = re.compile(rf"_BitInt\(\d+\)|{_DESCRIPTOR_MEMBER}")
#: flang's type of all numbers, integers and pointers that are no parts of descriptors
FORTRAN_DATA = "any data access"
_POINTER_NAME = re.compile(r"p(\d+) (.*)")


class AccessTag(NamedTuple):
    base: str
    access: str
    offset: int


#: the bytes of a number
_WORD = 8


class TypeNode(Struct, frozen=True):
    """A type: its name, and (offset, type) of its fields. The one field of a scalar is its parent."""

    name: str
    fields: tuple[tuple[int, str], ...]

    @property
    def is_scalar(self) -> bool:
        return len(self.fields) <= 1

    def field(self, offset: int) -> tuple[str, int] | None:
        """Returns the field that holds the offset, and the offset in that field."""
        found = None
        for start, type_ in self.fields:
            if found is not None and start > offset:
                break
            found = type_, offset - start
        return found


class Tbaa:
    """The descriptors of one module, parsed on demand. References are metadata names such as "!7"."""

    def __init__(self, module: Module) -> None:
        self._metadata = module.metadata
        self._scalars = _SCALARS | {"long double": _LONG_DOUBLE[architecture_of(module.head).long_double]}
        self._tags: dict[str, AccessTag | None] = {}
        self._types: dict[str, TypeNode] = {}
        self._by_name: dict[str, str] | None = None
        self._aliases: dict[tuple[str, str], bool] = {}

    def tag(self, reference: str) -> AccessTag | None:
        """Returns the access tag; None for another form (size-aware nodes), which is not read."""
        if reference not in self._tags:
            operands = _OPERAND.findall(self._metadata.get(reference, ""))
            plain = len(operands) in (3, 4) and operands[0][1:].isdigit() and operands[1][1:].isdigit()
            self._tags[reference] = AccessTag(operands[0], operands[1], _integer(operands[2])) if plain else None
        return self._tags[reference]

    def tag_of(self, access: Instruction) -> AccessTag | None:
        reference = access.metadata_node("!tbaa") or self._tag_written_back(access)
        return self.tag(reference) if reference is not None else None

    def _tag_written_back(self, load: Instruction) -> str | None:
        """Returns the tag of the store that writes what is computed from a loaded integer back to its place.

        LLVM makes one load of those in both branches of `flags = c ? flags | 32 : flags & 31`, and drops their tags.
        """
        if load.opcode != "load" or not isinstance(load.type, IntType):
            return None
        place = load.operands[0]
        if isinstance(place, Local) and not any(map(_is_tagged_store, place.users)):
            return None  # most loads have none: do not look at what is computed
        computed = uses([load], COMPUTED_IN_PLACE, lambda u: u.type == load.type)
        stores = (u for v in computed if v is not load for u in v.users if _is_tagged_store(u))
        back = (s for s in stores if s.operands[1] is place and s.operands[0].type == load.type)
        return next((s.metadata_node("!tbaa") for s in back), None)

    def type(self, reference: str) -> TypeNode:
        if reference not in self._types:
            operands = _OPERAND.findall(self._metadata.get(reference, ""))
            name = operands[0][2:-1] if operands and operands[0].startswith('!"') else ""
            rest = operands[1:]
            offsets = [_integer(o) for o in rest[1::2]] or [0]
            self._types[reference] = TypeNode(name, tuple(zip(offsets, rest[::2], strict=False)))
        return self._types[reference]

    def scalar_tag(self, reference: str, integer_size: int = 0) -> Tag | None:
        """Returns what an access of the scalar type says of the bytes; None for char and for unknown types.

        `integer_size`: the size of the accessed value if that is an integer.
        """
        name = self.type(reference).name
        if name in self._scalars:
            return self._scalars[name]
        if integer_size and _INTEGERS.fullmatch(name):
            return Tag(Kind.INTEGER, integer_size)
        return _SCALARS["any pointer"] if _POINTER_NAME.fullmatch(name) else None

    def scalar_access(self, i: Instruction, integer_size: int = 0) -> Tag | None:
        """Returns what the type of an instruction's access says of the bytes; None if it says nothing."""
        if isinstance(i.type, IntType) and i.metadata_node(INTEGER) is not None:
            return Tag(Kind.INTEGER, store_size(i.type))
        tag = self.tag_of(i)
        return self.scalar_tag(tag.access, integer_size) if tag is not None else None

    def is_integer_member(self, i: Instruction) -> bool:
        """Returns whether an access is to a member of a struct that is declared as an integer: no number lies there.

        Members of unions have no such declaration. A plain `int` may be a half of a double behind a cast pointer.
        """
        tag = self.tag_of(i)
        if tag is None or not self.is_member(i):
            return False
        declared = self.scalar_tag(tag.access)
        return declared is not None and declared.kind is Kind.INTEGER

    def is_byte_member(self, i: Instruction) -> bool:
        """Returns whether an access is to a member of a struct that is declared as a character or a byte.

        An access to a member of a union, or by a plain `char *`, has the type alone. If all bytes of a word are
        members, the struct may be a view of a number.
        """
        tag = self.tag_of(i)
        if tag is None or not self.is_member(i) or self.type(tag.access).name != ANY_TYPE:
            return False
        word = tag.offset - tag.offset % _WORD
        inside = [at for at, type_ in self.type(tag.base).fields if 0 <= at - word < _WORD and type_ == tag.access]
        return len(inside) < _WORD

    def is_descriptor_member(self, access: Instruction) -> bool:
        """Returns whether an access is to a member of one of flang's array descriptors."""
        tag = self.tag_of(access)
        if tag is None:
            return False
        return self.type(tag.access).name == _DESCRIPTOR_MEMBER or self.type(tag.base).name == _DIMENSION

    def is_member(self, i: Instruction) -> bool:
        """Returns whether an access is to a member of a struct by its name. Elements of arrays in structs are not."""
        tag = self.tag_of(i)
        return tag is not None and tag.base != tag.access and not self.type(tag.base).is_scalar

    def is_fortran_data(self, i: Instruction) -> bool:
        """Returns whether flang tells that an access is to a variable, not to a descriptor: no pointers lie there."""
        tag = self.tag_of(i)
        reference = tag.access if tag is not None else None
        while reference is not None:
            node = self.type(reference)
            if node.name == FORTRAN_DATA:
                return True
            reference = node.fields[0][1] if len(node.fields) == 1 else None
        return False

    def pointee(self, reference: str) -> str | Tag | None:
        """Returns what a pointer of the scalar type points at: a scalar's tag, or a struct's type node."""
        match = _POINTER_NAME.fullmatch(self.type(reference).name)
        if match is None:
            return None
        if match[1] != "1":
            return _SCALARS["any pointer"]
        return self._scalars.get(match[2]) or self._named(match[2])

    def _named(self, name: str) -> str | None:
        """Returns the struct type of the name. C++ names are mangled (_ZTS…)."""
        if self._by_name is None:
            self._by_name = {}
            for reference, text in self._metadata.items():
                if text.startswith('!{!"') and text.count(",") >= 2:
                    self._by_name.setdefault(self.type(reference).name, reference)
        found = self._by_name.get(name) or self._by_name.get(f"_ZTS{name}")
        return found or self._by_name.get(re.sub(r"^_ZTS\d*", "", name))

    # -- aliasing

    def may_alias(self, a: str, b: str) -> bool:
        """Returns whether accesses with the two tags may touch the same memory."""
        if a == b:
            return True
        key = (a, b) if a < b else (b, a)
        if key not in self._aliases:
            self._aliases[key] = self._match(self.tag(key[0]), self.tag(key[1]))
        return self._aliases[key]

    def _match(self, a: AccessTag | None, b: AccessTag | None) -> bool:
        if a is None or b is None or a == b:
            return True
        common = self._least_common(a.access, b.access)
        if common is None:  # different roots: unrelated type systems
            return True
        for base, other in ((a, b), (b, a)):
            found = self._within(base, other, common)
            if found is not None:
                return found
        return False

    def _parents(self, reference: str) -> list[str]:
        path: list[str] = []
        while reference not in path:
            path.append(reference)
            fields = self.type(reference).fields
            if not fields:
                break
            reference = fields[0][1]
        return path

    def _least_common(self, a: str, b: str) -> str | None:
        others = set(self._parents(b))
        return next((reference for reference in self._parents(a) if reference in others), None)

    def _within(self, base: AccessTag, other: AccessTag, common: str) -> bool | None:
        """Returns whether `other` may touch what `base` touches, judged by base's type; None if that cannot tell."""
        if base.base == base.access == common:
            return True
        type_, offset = base.base, base.offset
        for _ in range(100):
            if type_ == other.base:
                return offset == other.offset or type_ == base.access or other.base == other.access
            step = self.type(type_).field(offset)
            if step is None:
                return None
            type_, offset = step
        return True


def _integer(operand: str) -> int:
    return int(operand.split()[-1]) if operand[0] == "i" else 0


def parse_operands(text: str) -> list[str]:
    """Returns the operands of a metadata tuple: strings, references, constants."""
    return _OPERAND.findall(text)


def _is_tagged_store(i: Instruction) -> bool:
    return i.opcode == "store" and i.metadata_node("!tbaa") is not None
