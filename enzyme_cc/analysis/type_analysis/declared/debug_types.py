"""Declared types from debug information, as hints. `#dbg_value` and `#dbg_declare` records name variables with types.

Code compiled with -O0 has no TBAA. With -g it has debug information.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import prod

from ....ir.values import DebugRecord, Function, Local
from ..kinds import Kind
from .hints import DeclaredRegion, Hint

_RECORD = re.compile(r"#dbg_(value|declare)\(ptr \0, (!\d+), !DIExpression\(\)")
_FIELD = re.compile(r'(\w+): (?:"([^"]*)"|([^,()]+))')
_FLOATS = {16: Kind.HALF, 32: Kind.FLOAT, 64: Kind.DOUBLE, 80: Kind.X86_FP80, 96: Kind.X86_FP80}
_TRANSPARENT = frozenset(
    f"DW_TAG_{name}" for name in "typedef const_type volatile_type restrict_type atomic_type member inheritance".split()
)
_POINTERS = frozenset(
    f"DW_TAG_{name}" for name in "pointer_type reference_type rvalue_reference_type ptr_to_member_type".split()
)
_STRUCTS = frozenset(["DW_TAG_structure_type", "DW_TAG_class_type"])
_MANY, _DEEP = 400, 20
#: the bytes of flang's array descriptors (CFI_cdesc_t) before the dimensions, and the bytes of each dimension
_DESCRIPTOR, _DIMENSION = 24, 24


class DebugTypes:
    """The types in a module's debug information. References are metadata names."""

    def __init__(self, metadata: Mapping[str, str], long_double: Kind) -> None:
        self._metadata = metadata
        self._long_double = long_double
        self._nodes: dict[str, dict[str, str]] = {}

    def hints(self, function: Function) -> Iterator[tuple[Local, Hint]]:
        """Yields the pointers in the function's debug records, with what lies behind them."""
        for i in function.instructions():
            for record in i.debug_records:
                found = self._hint(record)
                if found is not None:
                    yield record.values[0], found

    def _hint(self, record: DebugRecord) -> Hint | None:
        match = _RECORD.match("\0".join(record.pieces)) if record.values else None
        if match is None:
            return None
        type_ = self._field(match[2], "type")
        if match[1] == "value":
            type_ = self.pointee(type_)
        size = self.size(type_)
        regions = tuple(self._regions(type_, 0, 0)) if size else ()
        if not regions or len(regions) > _MANY or all(kind is Kind.UNKNOWN for _, _, kind in regions):
            return None
        if match[1] == "declare":
            return Hint(regions, None, size)
        # a pointer to a number may point to an array of numbers; a struct may be a part of something larger
        return Hint(regions, size if len(regions) == 1 else None, None, size)

    def member(self, struct: str, offset: int) -> str | None:
        """Returns the name of a struct's member that begins at a byte. `struct` is its name, or C++'s mangled one."""
        for reference, text in self._metadata.items():
            if "!DICompositeType(" not in text or f'"{struct}"' not in text:
                continue
            node = self._node(reference)
            for element in map(self._node, self._elements(node)):
                if element.get("tag") == "DW_TAG_member" and element.get("offset", "0") == str(8 * offset):
                    return f"{node.get('name') or struct}::{element.get('name', '')}"
        return None

    def variable(self, reference: str) -> tuple[str, str]:
        """Returns the name of a variable, and its type."""
        return self._field(reference, "name"), self._field(reference, "type")

    def part(self, reference: str, at: int) -> tuple[str, str] | None:
        """Returns how the source names the part of a type that begins at a byte, `.bounds[1].low`, and its type."""
        reference = self._plain(reference)
        node, tag = self._node(reference), self._field(reference, "tag")
        if tag in _STRUCTS:
            for member in map(self._node, self._elements(node)):
                start, type_ = int(member.get("offset", "0")) // 8, member.get("baseType", "")
                if member.get("tag") in ("DW_TAG_member", "DW_TAG_inheritance") and 0 <= at - start < self.size(type_):
                    inside = self.part(type_, at - start)
                    name = f".{member['name']}" if member.get("name") else ""
                    return (name + inside[0], inside[1]) if inside is not None else None
            return None
        step = self.size(node.get("baseType", "")) if tag == "DW_TAG_array_type" and not _is_descriptor(node) else 0
        if step:
            inside = self.part(node["baseType"], at % step)
            return (f"[{at // step}]{inside[0]}", inside[1]) if inside is not None else None
        return ("", reference) if at == 0 else None

    # -- nodes

    def _node(self, reference: str) -> dict[str, str]:
        if reference not in self._nodes:
            text = self._metadata.get(reference, "")
            fields = {name: quoted or plain for name, quoted, plain in _FIELD.findall(text)}
            kind = re.match(r"(?:distinct )?!(\w+)\(", text)
            self._nodes[reference] = {**fields, "": kind[1] if kind is not None else ""}
        return self._nodes[reference]

    def _field(self, reference: str, name: str) -> str:
        return self._node(reference).get(name, "")

    def _plain(self, reference: str) -> str:
        """Returns the type behind typedefs and qualifiers."""
        for _ in range(_DEEP):
            node = self._node(reference)
            if node.get("tag") not in _TRANSPARENT:
                break
            reference = node.get("baseType", "")
        return reference

    def pointee(self, reference: str) -> str:
        """Returns the type that a pointer's type leads to; an empty text if it is none."""
        reference = self._plain(reference)
        return self._field(reference, "baseType") if self._field(reference, "tag") in _POINTERS else ""

    def size(self, reference: str) -> int:
        """Returns the bytes of a type; 0 if they are not known."""
        node = self._node(self._plain(reference))
        size = node.get("size", "")
        if size.isdigit():
            return int(size) // 8
        return self._size_of_array(node) if node.get("tag") == "DW_TAG_array_type" else 0

    def _size_of_array(self, node: dict[str, str]) -> int:
        """Returns the size of a Fortran array: of its elements, or of its descriptor if it has one."""
        counts = [self._field(e, "count") for e in self._elements(node)]
        if _is_descriptor(node):
            return _DESCRIPTOR + _DIMENSION * len(counts)
        return self.size(node.get("baseType", "")) * prod(int(c) if c.isdigit() else 0 for c in counts)

    # -- layouts

    def _regions(self, reference: str, at: int, depth: int) -> Iterator[DeclaredRegion]:
        reference = self._plain(reference)
        node, size = self._node(reference), self.size(reference)
        tag = node.get("tag", "")
        if node[""] == "DIBasicType":
            yield from _basic(node, at, size, self._long_double)
        elif tag in _POINTERS:
            yield at, 8, Kind.POINTER
        elif tag == "DW_TAG_enumeration_type":
            yield at, size, Kind.INTEGER
        elif tag in _STRUCTS and depth < _DEEP:
            for member in self._elements(node):
                yield from self._member(member, at, depth)
        elif tag == "DW_TAG_array_type" and depth < _DEEP:
            if _is_descriptor(node):
                yield at, 8, Kind.POINTER
                yield at + 8, size - 8, Kind.INTEGER
            else:
                yield from self._array(node, at, size, depth)
        elif size:
            yield at, size, Kind.UNKNOWN

    def _member(self, reference: str, at: int, depth: int) -> Iterator[DeclaredRegion]:
        node = self._node(reference)
        if node.get("tag") not in ("DW_TAG_member", "DW_TAG_inheritance"):
            if node.get("tag") == "DW_TAG_variant_part":
                yield at, 1, Kind.UNKNOWN
            return
        flags = node.get("flags", "")
        if "DIFlagStaticMember" in flags or "DIFlagVirtual" in flags:
            return
        bits = node.get("offset", "0")
        offset = at + int(bits) // 8 if bits.isdigit() else at
        type_ = node.get("baseType", "")
        is_byte = self.size(type_) == 1 and self._node(self._plain(type_))[""] == "DIBasicType"
        if "DIFlagBitField" in flags or is_byte:  # an array of bytes may be storage for anything, a single byte may not
            yield offset, 1, Kind.INTEGER
            return
        yield from self._regions(node.get("baseType", ""), offset, depth + 1)

    def _array(self, node: dict[str, str], at: int, size: int, depth: int) -> Iterator[DeclaredRegion]:
        element = node.get("baseType", "")
        step = self.size(element)
        one = list(self._regions(element, 0, depth + 1))
        if len(one) == 1 and one[0][1] == step:
            yield at, size, one[0][2]
            return
        for start in range(0, min(size, _MANY * max(step, 1)), step or size or 1):
            for offset, length, kind in one:
                yield at + start + offset, length, kind

    def _elements(self, node: dict[str, str]) -> list[str]:
        return re.findall(r"!\d+", self._metadata.get(node.get("elements", ""), ""))


def _is_descriptor(array: dict[str, str]) -> bool:
    """Returns whether an array has a descriptor: it is allocatable, a pointer or of assumed shape."""
    return "dataLocation" in array


def _basic(node: dict[str, str], at: int, size: int, long_double: Kind) -> Iterator[DeclaredRegion]:
    encoding = node.get("encoding", "")
    if encoding == "DW_ATE_float":
        kind = _float(node, 8 * size, long_double)
        yield at, 10 if kind is Kind.X86_FP80 else size, kind
    elif encoding == "DW_ATE_complex_float":
        yield at, size, _float(node, 4 * size, long_double)
    elif encoding in ("DW_ATE_signed_char", "DW_ATE_unsigned_char"):
        yield at, size, Kind.UNKNOWN  # may be storage for anything
    elif size:
        yield at, size, Kind.INTEGER


def _float(node: dict[str, str], bits: int, long_double: Kind) -> Kind:
    name = node.get("name", "")
    if bits == 128 and ("128" in name or "quad" in name.lower() or "16" in name):
        return Kind.FP128
    if bits == 128:
        return long_double
    return Kind.BFLOAT if "bf16" in name else _FLOATS.get(bits, Kind.UNKNOWN)
