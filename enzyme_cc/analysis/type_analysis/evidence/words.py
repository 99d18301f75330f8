"""What each word of memory may hold, all evidence counted: for memory whose layout changes while the program runs."""

from __future__ import annotations

from collections.abc import Iterable

from ..kinds import FLOATS, Kind, Tag
from .collected import Collected
from .layout import period_of
from .places import Item, Tier

WORD = 8
_MANY_WORDS = 512


def words(found: Collected, size: int | None) -> list[frozenset[Kind]]:
    """The floating-point kinds, and POINTER, of each word of `size` bytes, or of one period where these repeat."""
    items = [i for i in found.items if isinstance(i.tag, Tag) and i.tag.kind in FLOATS | {Kind.POINTER}]
    if size is None or size > WORD * _MANY_WORDS:
        size = period_of(found.items, True) or 0
        if size == 0 or size % WORD or size > WORD * _MANY_WORDS:
            return [frozenset(i.tag.kind for i in items if isinstance(i.tag, Tag))]
        repeated = [_repeating(i, size) for i in items]
        return [_kinds(repeated, at) for at in range(0, size, WORD)]
    return [_kinds(items, at) for at in range(0, size, WORD)]


def _kinds(items: Iterable[Item], at: int) -> frozenset[Kind]:
    return frozenset(i.tag.kind for i in items if isinstance(i.tag, Tag) and _touches(i, i.tag.size, at, at + WORD))


def _repeating(item: Item, period: int) -> Item:
    """The item as one that is found in every period, before and after."""
    step = period if item.stride == 0 else item.stride
    return item._replace(offset=item.offset % step, stride=step, end=None, tier=Tier.FOLDED)


def _touches(item: Item, size: int, low: int, high: int) -> bool:
    """Whether an element of the item may lie in the bytes."""
    if item.stride == 0:
        return item.offset < high and item.offset + size > low
    steps = (low - size - item.offset) // item.stride + 1
    if item.tier is not Tier.FOLDED:
        steps = max(0, steps)
    place = item.offset + steps * item.stride
    return place < high and (item.end is None or place + size <= item.end)
