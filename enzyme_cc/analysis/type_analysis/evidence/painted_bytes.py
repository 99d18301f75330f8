"""Layers of bytes, each with the kind of element that it belongs to, and how one layer is painted over another."""

from __future__ import annotations

from ..kinds import FLOATS, Kind, Tag
from .places import Evidence

#: of each byte: kind, and the offset of the element it belongs to
Byte = tuple[Kind, int] | None


def paint_at(layer: list[Byte], offset: int, tag: Tag) -> None:
    """Paints one element. Each byte of an integer is an element of its own."""
    size = len(layer)
    if offset + tag.size <= 0 or offset >= size:
        return
    for at in range(max(offset, 0), min(offset + tag.size, size)):
        mine = (tag.kind, at if tag.kind is Kind.INTEGER else offset)
        known = layer[at]
        layer[at] = mine if known is None or known == mine else (Kind.CONFLICT, offset)


def paint_item(layer: list[Byte], item: Evidence, first: int) -> None:
    """Paints all elements from `first` on. Without a stride there is one element, at its offset."""
    assert isinstance(item.tag, Tag)
    for offset in range(first, len(layer), item.stride) if item.stride else (item.offset,):
        paint_at(layer, offset, item.tag)


def cover(below: list[Byte], above: list[Byte], bytes_: range | None = None) -> None:
    """Paints one layer over another. The rest of an element that is partly covered becomes unknown.

    `bytes_`: those at which there is something above (None: any).
    """
    for at in range(len(above)) if bytes_ is None else bytes_:
        byte = above[at]
        if byte is None:
            continue
        known = below[at]
        if known is not None and known[0] in FLOATS | {Kind.POINTER} and byte != known:
            _replace_element(below, at, known, byte if byte[0] is Kind.CONFLICT else None)
        below[at] = byte


def _replace_element(bytes_: list[Byte], at: int, element: tuple[Kind, int], new: Byte) -> None:
    for step in (1, -1):
        near = at + step
        while 0 <= near < len(bytes_) and bytes_[near] == element:
            bytes_[near] = new
            near += step
