"""Declared types as hints: what a type says of its bytes. Hints count for bytes that no analysed code accesses.

Sources are the LLVM types of stack slots, globals, byval and sret arguments, TBAA's struct descriptors, and
`!tbaa.struct`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from ....ir.types import (
    I8,
    ArrayType,
    FloatType,
    IntType,
    NamedStruct,
    PointerType,
    StructType,
    Type,
    VectorType,
    alloc_size,
    field_offsets,
    store_size,
    struct_fields,
)
from ..kinds import Kind, Tag, scalar_tag
from .tbaa import ANY_TYPE, Tbaa, parse_operands

DeclaredRegion = tuple[int, int, Kind]  # offset, length, kind; UNKNOWN where the declaration does not tell

#: bytes of an element of an array; each byte of an integer is an element
ELEMENT_SIZES = {
    Kind.DOUBLE: 8, Kind.FLOAT: 4, Kind.HALF: 2, Kind.BFLOAT: 2, Kind.FP128: 16, Kind.X86_FP80: 16, Kind.POINTER: 8,
}  # fmt: skip
#: a type with more regions than this is too expensive to use
_MANY = 400


@dataclass(frozen=True, eq=False)
class Hint:
    """Regions of one element of `period` bytes. The declaration covers `extent` bytes (None: unknown).

    `unit`: the size of what is declared, if nothing tells whether it is an element of an array. There is one object for
    equal hints: evidence is hashed millions of times.
    """

    regions: tuple[DeclaredRegion, ...]
    period: int | None = None
    extent: int | None = None
    unit: int | None = None
    size = 0

    def __new__(
        cls,
        regions: tuple[DeclaredRegion, ...],
        period: int | None = None,
        extent: int | None = None,
        unit: int | None = None,
    ) -> Hint:
        key = regions, period, extent, unit
        found = _HINTS.get(key)
        if found is None:
            found = _HINTS[key] = super().__new__(cls)
        return found

    def exceeds(self, stride: int) -> bool:
        """Returns whether it declares something larger than the elements of an array at the stride."""
        return bool(stride) and not self.period and sum(self.regions[-1][:2]) > stride

    def within(self, size: int) -> Hint:
        """Returns what it says of the first `size` bytes."""
        return _first_bytes(self, size)

    def expanded(self, limit: int) -> Iterator[DeclaredRegion]:
        """Yields the regions from offset 0 up to the limit."""
        end = limit if self.extent is None else min(limit, self.extent)
        start = 0
        while start < end:
            for offset, length, kind in self.regions:
                if start + offset < end:
                    yield start + offset, min(length, end - start - offset), kind
            if not self.period:
                return
            start += self.period


_HINTS: dict[tuple[tuple[DeclaredRegion, ...], int | None, int | None, int | None], Hint] = {}


@cache
def _first_bytes(hint: Hint, size: int) -> Hint:
    if hint.period:
        return replace(hint, extent=size if hint.extent is None else min(size, hint.extent), unit=None)
    regions = tuple((at, min(length, size - at), kind) for at, length, kind in hint.regions if at < size)
    return Hint(regions, None, None if hint.extent is None else min(size, hint.extent))


@cache
def hint_of_type(type_: Type) -> Hint | None:
    """Returns what an LLVM type says; None for bytes and unions, which say nothing."""
    count, element = 1, type_
    while isinstance(element, ArrayType):
        count, element = count * element.count, element.element
    size = _size(element)
    if size is None or count == 0:
        return None
    regions = tuple(_merged(_regions(element, 0)))
    if len(regions) > _MANY or all(kind is Kind.UNKNOWN for _, _, kind in regions):
        return None
    return Hint(regions, size if count > 1 else None, size * count)


def _size(type_: Type) -> int | None:
    try:
        return alloc_size(type_)
    except (TypeError, AttributeError):
        return None


def _regions(type_: Type, at: int) -> Iterator[DeclaredRegion]:
    tag = scalar_tag(type_)
    if tag is not None:
        yield at, tag.size, tag.kind
    elif isinstance(type_, IntType):
        yield at, store_size(type_), Kind.UNKNOWN if type_.bits == 8 else Kind.INTEGER
    elif isinstance(type_, NamedStruct) and type_.name.lstrip('%"').startswith("union."):
        yield at, alloc_size(type_), Kind.UNKNOWN
    elif isinstance(type_, StructType | NamedStruct):
        for field, offset in zip(struct_fields(type_), field_offsets(type_), strict=True):
            if field == I8:  # an array of bytes may be storage for anything, a single byte may not
                yield at + offset, 1, Kind.INTEGER
            else:
                yield from _regions(field, at + offset)
    elif isinstance(type_, ArrayType | VectorType):
        yield from _array_regions(type_, at)


def _array_regions(type_: ArrayType | VectorType, at: int) -> Iterator[DeclaredRegion]:
    element, size = type_.element, alloc_size(type_.element)
    if isinstance(element, FloatType | PointerType | IntType) and store_size(element) == size:
        for _, _, kind in _regions(element, 0):
            yield at, size * type_.count, kind
        return
    for k in range(min(type_.count, _MANY)):
        yield from _regions(element, at + k * size)


def _merged(regions: Iterator[DeclaredRegion]) -> Iterator[DeclaredRegion]:
    """Joins neighbours of one kind."""
    last: DeclaredRegion | None = None
    for offset, length, kind in regions:
        if last is not None and last[2] is kind and last[0] + last[1] == offset:
            last = last[0], last[1] + length, kind
            continue
        if last is not None:
            yield last
        last = offset, length, kind
    if last is not None:
        yield last


# ------------------------------------------------------------------------------------------------------------- TBAA


class TbaaHints:
    """Hints from the module's TBAA descriptors."""

    def __init__(self, tbaa: Tbaa) -> None:
        self.tbaa = tbaa
        self._structs: dict[str, Hint | None] = {}
        self._copies: dict[str, Hint | None] = {}

    def struct(self, reference: str) -> Hint | None:
        """Returns the fields of a struct's descriptor. It has no lengths of arrays: their first elements count."""
        if reference not in self._structs:
            regions = tuple(self._fields(reference, 0, 0))
            self._structs[reference] = Hint(regions) if 0 < len(regions) <= _MANY else None
        return self._structs[reference]

    def _fields(self, reference: str, at: int, depth: int) -> Iterator[DeclaredRegion]:
        node = self.tbaa.type(reference)
        if node.is_scalar and self.tbaa.scalar_tag(reference) is not None:
            tag = self.tbaa.scalar_tag(reference)
            assert tag is not None
            yield at, tag.size, tag.kind
        elif len(node.fields) > 1 or (node.fields and not self._is_char(reference) and self._is_struct(reference)):
            for offset, field in node.fields:
                if depth < 8:
                    yield from self._fields(field, at + offset, depth + 1)

    def _is_struct(self, reference: str) -> bool:
        """Returns whether a node with one field is a struct. A scalar looks alike: its parent is char, or a scalar."""
        (_, parent), *_ = self.tbaa.type(reference).fields
        return self.tbaa.scalar_tag(parent) is not None and self.tbaa.scalar_tag(reference) is None

    def _is_char(self, reference: str) -> bool:
        return self.tbaa.type(reference).name == ANY_TYPE

    def copy(self, reference: str, text: str) -> Hint | None:
        """Returns what `!tbaa.struct` says: offset, length and tag of all that is copied. The rest is padding."""
        if reference not in self._copies:
            self._copies[reference] = self._parse_copy(parse_operands(text))
        return self._copies[reference]

    def _parse_copy(self, operands: list[str]) -> Hint | None:
        regions: list[DeclaredRegion] = []
        end = 0
        for offset, length, tag in zip(operands[::3], operands[1::3], operands[2::3], strict=False):
            start, size = int(offset.split()[-1]), int(length.split()[-1])
            if start > end:
                regions.append((end, start - end, Kind.ANYTHING))
            access = self.tbaa.tag(tag)
            found: Tag | None = self.tbaa.scalar_tag(access.access) if access is not None else None
            regions.append((start, size, found.kind if found is not None else Kind.UNKNOWN))
            end = start + size
        return Hint(tuple(regions), None, None) if regions else None
