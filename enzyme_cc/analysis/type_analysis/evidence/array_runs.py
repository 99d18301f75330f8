"""Arrays inside of structs: runs of equal elements at a stride, from where each begins to where it ends.

A run begins at its first offset, and ends where something else is known to begin.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from operator import itemgetter
from typing import NamedTuple

from ..declared.hints import ELEMENT_SIZES
from ..kinds import Kind, Tag
from .declared_regions import DeclaredRegions
from .painted_bytes import Byte, cover, paint_at
from .places import Evidence

#: the stride of an element that stands alone
_ALONE = 1 << 16


class Begins:
    """Where exact accesses begin, by their place in the elements of arrays."""

    def __init__(self, exact: Iterable[Evidence]) -> None:
        self._exact = sorted({(i.offset, i.tag.kind) for i in exact if isinstance(i.tag, Tag)}, key=itemgetter(0))
        self._by_place: dict[int, dict[int, list[tuple[int, Kind]]]] = {}

    def first_other(self, offset: int, stride: int, kind: Kind) -> int | None:
        """Returns where, behind the first element of an array, an element is first accessed as another kind."""
        places = self._by_place.get(stride)
        if places is None:
            places = self._by_place[stride] = {}
            for begin in self._exact:
                places.setdefault(begin[0] % stride, []).append(begin)
        begins = places.get(offset % stride, [])
        later = range(bisect_right(begins, offset, key=itemgetter(0)), len(begins))
        return next((begins[k][0] for k in later if begins[k][1] is not kind), None)


class _Run(NamedTuple):
    """Elements from `first` on, at a stride, the last of which ends at `end`."""

    tag: Tag
    first: int
    stride: int
    end: int

    def covers(self, other: _Run) -> bool:
        alike = self.tag == other.tag and self.stride == other.stride
        return alike and self.first <= other.first and other.end <= self.end and self._meets(other.first)

    def _meets(self, offset: int) -> bool:
        return (offset - self.first) % self.stride == 0

    def paint(self, layer: list[Byte]) -> None:
        for offset in range(self.first, self.end - self.tag.size + 1, self.stride):
            paint_at(layer, offset, self.tag)
        size = len(layer)
        if self.first < size == self.end and not self._meets(size) and self.stride >= self.tag.size:
            last = self.first + (size - self.first) // self.stride * self.stride
            if last + self.tag.size > size:
                paint_at(layer, last, self.tag)


def paint_runs(runs: list[Evidence], exact: Begins, declared: DeclaredRegions, size: int) -> list[Byte]:
    """Returns a layer of arrays, each from its first element to its end.

    Each array takes the time of its own bytes: most of them are single elements, of which an object has thousands.
    """
    layer: list[Byte] = [None] * size
    above: list[Byte] = [None] * size
    starts: dict[int, dict[_Run, None]] = {}
    for item in sorted(runs, key=_offset):
        run = _run(item, exact, declared, size)
        if run is not None and run.end > 0 and run.first < size:
            starts.setdefault(item.offset, {})[run] = None
    top: list[_Run] = []  # the runs that were painted last
    for together in starts.values():
        if all(any(t.covers(run) for t in top) for run in together) and len(top) == 1:
            continue
        first, end = min(run.first for run in together), max(run.end for run in together)
        bytes_ = range(max(0, first), max(0, min(size, end)))
        for run in together:
            run.paint(above)
        _check_cuts(layer, above, bytes_)
        cover(layer, above, bytes_)
        above[bytes_.start : bytes_.stop] = [None] * len(bytes_)
        top = [t for t in together if not any(o.covers(t) for o in together if o is not t)]
    return layer


def _run(item: Evidence, exact: Begins, declared: DeclaredRegions, size: int) -> _Run | None:
    """Returns the run of an item; None for one element of an array that begins behind it."""
    tag = item.tag
    assert isinstance(tag, Tag)
    if not item.stride:
        is_before = declared.is_otherwise(item.offset, tag.kind) and any(declared.later(item.offset, tag.kind))
        return None if is_before else _Run(tag, item.offset, _ALONE, item.offset + tag.size)
    first = _begin_of_run(item, tag, declared) if item.offset > -tag.size else item.offset % item.stride
    return _Run(tag, first, item.stride, _end_of_run(item, tag, exact, declared, size))


def _begin_of_run(item: Evidence, tag: Tag, declared: DeclaredRegions) -> int:
    """Returns where the array begins.

    An address computation starts before the array if the index is never 0. If something else is declared at the
    offset, the array is the next declared region of its kind.
    """
    if not declared.is_otherwise(item.offset, tag.kind):
        return item.offset
    later = (at for at in declared.later(item.offset, tag.kind) if (at - item.offset) % item.stride == 0)
    return next(later, item.offset)


def _check_cuts(below: list[Byte], above: list[Byte], bytes_: range) -> None:
    """Marks conflicts where a new array, in some bytes, begins inside of an element of the array before it."""
    for at in bytes_:
        byte, known = above[at], below[at]
        if byte is None or known is None or byte == known or Kind.CONFLICT in (byte[0], known[0]):
            continue
        if known[0] is not Kind.INTEGER and known[1] < byte[1] < known[1] + ELEMENT_SIZES[known[0]]:
            above[at] = Kind.CONFLICT, at


def _end_of_run(item: Evidence, tag: Tag, exact: Begins, declared: DeclaredRegions, size: int) -> int:
    """Returns where the array ends: at the end of its declaration, or where something else is known to begin."""
    end = size if item.end is None else min(size, item.end)
    end = min(end, declared.end(item.offset, tag.size) or end)
    other = exact.first_other(item.offset, item.stride, tag.kind)
    return end if other is None else min(end, other)


def _offset(item: Evidence) -> int:
    return item.offset
