"""What bytes can be: kinds, tags of accesses, and layouts, the answer of type analysis."""

from __future__ import annotations

import enum
from math import lcm
from typing import NamedTuple

from msgspec import Struct

from ...ir.types import FloatType, IntType, PointerType, Type, store_size


class Kind(enum.Enum):
    """What a byte, or a value, is a part of.

    ANYTHING: compatible with all kinds (undef, zero, padding that is never accessed). UNKNOWN: there is no evidence.
    CONFLICT: there is evidence for two kinds that exclude each other.
    """

    INTEGER = "integer"
    POINTER = "pointer"
    HALF = "half"
    BFLOAT = "bfloat"
    FLOAT = "float"
    DOUBLE = "double"
    X86_FP80 = "x86_fp80"
    FP128 = "fp128"
    ANYTHING = "anything"
    UNKNOWN = "unknown"
    CONFLICT = "conflict"

    __hash__ = object.__hash__  # members are unique; Enum's own hashes the name each time


class Segment(NamedTuple):
    """`length` bytes of one kind from `offset` on. Floating-point numbers are whole: none is cut."""

    offset: int
    length: int
    kind: Kind


class Layout(Struct, frozen=True):
    """What memory holds: `segments` cover the bytes of the query, or one period of `period` bytes that repeats."""

    period: int | None
    segments: tuple[Segment, ...]


class Tag(NamedTuple):
    """What an access says of the bytes it touches. A weak tag (an integer comparison) gives way to a float.

    `is_packed`: the access may be at any byte, as in packed records. `is_loose`: it is to a pointer, at a multiple of 4
    bytes for all that LLVM knows. Others are at their natural alignment.
    """

    kind: Kind
    size: int
    weak: bool = False
    is_packed: bool = False
    is_loose: bool = False


_FLOAT_KINDS = {
    "half": Kind.HALF,
    "bfloat": Kind.BFLOAT,
    "float": Kind.FLOAT,
    "double": Kind.DOUBLE,
    "x86_fp80": Kind.X86_FP80,
    "fp128": Kind.FP128,
    "ppc_fp128": Kind.FP128,
}
FLOATS = frozenset(_FLOAT_KINDS.values())
#: what a word may hold if its bits, and those of its shadow, tell at run time whether it is a pointer. A float is
#: half a word: beside other bytes, such as padding, it can look like a part of an address
TAGGED_BY_WORDS = frozenset([Kind.DOUBLE, Kind.POINTER])
#: what copied words may hold: there, both words and both shadows show whether there is memory at an address
TAGGED_BY_MEMORY = TAGGED_BY_WORDS | {Kind.FLOAT}
#: what a word may hold if its bits tell that it is no pointer, and the runtime can add what it finds
ADDED_BY_WORDS = frozenset([Kind.DOUBLE, Kind.FLOAT])
POINTER_TAG = Tag(Kind.POINTER, 8)


def scalar_tag(type_: Type) -> Tag | None:
    """Returns the tag of an access of a scalar type; None for integers, whose use alone tells what they are."""
    if isinstance(type_, FloatType):
        return Tag(_FLOAT_KINDS[type_.kind], store_size(type_))
    if isinstance(type_, PointerType):
        return POINTER_TAG
    return None


def integer_tag(type_: Type, weak: bool = False) -> Tag:
    return Tag(Kind.INTEGER, store_size(type_) if isinstance(type_, IntType) else 8, weak)


def natural_alignment(tag: Tag) -> int:
    """Returns the alignment on x86-64 of what the tag says."""
    return min(16, 1 << (tag.size - 1).bit_length()) if tag.size else 1


def with_alignment(tag: Tag, align: int | None) -> Tag:
    """Returns the tag of an access with an alignment (None: the natural one).

    LLVM may know less than is true: an alignment of 4 bytes may be that of the struct that a double lies in.
    """
    if align is None or align >= natural_alignment(tag):
        return tag
    if align < min(4, natural_alignment(tag)):
        return tag._replace(is_packed=True)
    return tag._replace(is_loose=True) if tag.kind is Kind.POINTER else tag


def element_step(stride: int, tag: Tag) -> int:
    """Returns the distance between elements that seem to repeat after `stride` bytes.

    A stride that is less than an element is badly known (byte offsets): what is moved by single bytes keeps its
    alignment all the same. A larger one is the size of a record, which may be packed.
    """
    if tag.is_packed or stride >= tag.size:
        return max(stride, 1)
    return lcm(stride, natural_alignment(tag))
