"""Finds what each 8-byte word may hold at some time, all evidence counted: for memory whose use changes over time."""

from __future__ import annotations

from collections.abc import Iterable

from ..declared.hints import Hint
from ..kinds import FLOATS, Kind, Tag
from .collected import Collected
from .layout import hint_regions, period_of
from .places import Evidence, Tier

WORD = 8
_MANY_WORDS = 512
_NO_KINDS = frozenset([Kind.UNKNOWN, Kind.ANYTHING, Kind.CONFLICT])


def words(found: Collected, size: int | None, integers: bool = False) -> list[frozenset[Kind]]:
    """Returns the floating-point kinds, and POINTER, of each word of `size` bytes, or of one period if they repeat.

    `integers`: INTEGER counts, too, and where nothing is accessed, what is declared.
    """
    kinds = FLOATS | ({Kind.POINTER, Kind.INTEGER} if integers else {Kind.POINTER})
    items = [i for i in found.items if isinstance(i.tag, Tag) and i.tag.kind in kinds]
    if size is None or size > WORD * _MANY_WORDS:
        size = period_of(found.items, True) or 0
        if size == 0 or size % WORD or size > WORD * _MANY_WORDS:
            return [frozenset(i.tag.kind for i in items if isinstance(i.tag, Tag))]
        repeated = [_repeating(i, size) for i in items]
        return [_kinds(repeated, at, at + WORD) for at in range(0, size, WORD)]
    accessed = [_kinds(items, at, min(at + WORD, size)) for at in range(0, size, WORD)]
    if not integers or all(accessed):
        return accessed
    return [a or d for a, d in zip(accessed, _declared(found, size), strict=True)]


def _declared(found: Collected, size: int) -> list[frozenset[Kind]]:
    """Returns the kinds of each word that declarations say."""
    regions = list(dict.fromkeys(hint_regions([i for i in found.items if isinstance(i.tag, Hint)], size)))
    return [
        frozenset(kind for offset, length, kind in regions if offset < at + WORD and at < offset + length) - _NO_KINDS
        for at in range(0, size, WORD)
    ]


def _kinds(items: Iterable[Evidence], low: int, high: int) -> frozenset[Kind]:
    return frozenset(i.tag.kind for i in items if isinstance(i.tag, Tag) and _touches(i, i.tag.size, low, high))


def _repeating(item: Evidence, period: int) -> Evidence:
    """Returns the evidence as it holds in every period, before and after."""
    step = period if item.stride == 0 else item.stride
    return item._replace(offset=item.offset % step, stride=step, end=None, tier=Tier.FOLDED)


def _touches(item: Evidence, size: int, low: int, high: int) -> bool:
    """Returns whether an element of the item may touch the bytes."""
    if item.stride == 0:
        return item.offset < high and item.offset + size > low
    steps = (low - size - item.offset) // item.stride + 1
    if item.tier is not Tier.FOLDED:
        steps = max(0, steps)
    place = item.offset + steps * item.stride
    return place < high and (item.end is None or place + size <= item.end)
