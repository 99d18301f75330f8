"""Evidence about few bytes as single elements, each once: at so few bytes, many arrays and structs look alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from ..declared.hints import ELEMENT_SIZES, Hint
from ..kinds import Kind, Tag
from .places import Evidence, Tier, make_evidence

#: fields of more bytes also keep the elements that an array would have behind what seems to end it
_WITHOUT_CUTS = 48


def by_elements(items: Iterable[Evidence], width: int) -> dict[Evidence, None]:
    """Returns what the evidence says of the first `width` bytes: all elements, each at its surest tier."""
    best: dict[tuple[int, Tag | Hint], Tier] = {}
    for item in items:
        for offset, tag in _elements(item, width):
            known = best.get((offset, tag))
            if known is None or known < item.tier:
                best[offset, tag] = item.tier
        for offset in _behind_end(item, width) if width > _WITHOUT_CUTS else ():
            best.setdefault((offset, item.tag), Tier.CUT)
    return {make_evidence((offset, 0, None, tag, tier)): None for (offset, tag), tier in best.items()}


class Row(NamedTuple):
    """An element at `first` + k·`step`, for all k from 0 on."""

    first: int
    step: int
    tag: Tag | Hint
    tier: Tier

    def ending_in(self, width: int) -> int:
        """Returns how many of its elements end in the first `width` bytes."""
        return max(0, (width - self.tag.size - self.first) // self.step + 1)

    def element(self, k: int) -> Evidence:
        """Returns the evidence about one element."""
        return make_evidence((self.first + k * self.step, 0, None, self.tag, self.tier))


def row_of(item: Evidence, shift: int, step: int) -> tuple[Row, int]:
    """Returns the row of what repeats an element after `step` bytes, and the element's number in it.

    The element is seen from a place `shift` bytes before.
    """
    number, first = divmod(item.offset + shift, step)
    return Row(first, step, item.tag, Tier.STRIDED if item.tier is Tier.EXACT else item.tier), number


def _elements(item: Evidence, width: int) -> Iterator[tuple[int, Tag | Hint]]:
    offset, stride, end, tag, _ = item
    last = width if end is None else min(end, width)
    for at in range(offset, last - tag.size + 1, stride) if stride else (offset,):
        if isinstance(tag, Tag):
            yield at, tag
        else:
            yield from ((at + start, hint) for start, hint in _declared(tag, width - at))


def _behind_end(item: Evidence, width: int) -> Iterable[int]:
    """Returns where an array would have elements behind its end."""
    offset, stride, end, tag, _ = item
    if end is None or not stride or isinstance(tag, Hint):
        return ()
    return range(offset + max(0, -(-(end - tag.size + 1 - offset) // stride)) * stride, width - tag.size + 1, stride)


@cache
def _declared(hint: Hint, size: int) -> tuple[tuple[int, Hint], ...]:
    """Returns what a declaration says of its first bytes: offset and kind of each element."""
    found: list[tuple[int, Hint]] = []
    for offset, length, kind in hint.expanded(size):
        length = min(length, size - offset)
        step = ELEMENT_SIZES.get(kind, 1 if kind is Kind.INTEGER else max(length, 1))
        found += [(offset + at, _one(kind, min(step, length - at))) for at in range(0, length, step)]
    return tuple(found)


@cache
def _one(kind: Kind, size: int) -> Hint:
    return Hint(((0, size, kind),))
