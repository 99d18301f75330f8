"""Regions of which declarations tell the kind, seen from the bytes of a query."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from math import lcm
from operator import itemgetter

from ..declared.hints import Hint
from ..kinds import Kind, Tag
from .places import BEYOND, Evidence

#: declared regions of more bytes than this are few
_SHORT = 64
#: where one of these is declared, anything may lie
_OPEN = frozenset([Kind.UNKNOWN, Kind.ANYTHING])


def hint_regions(hints: Iterable[Evidence], size: int) -> Iterator[tuple[int, int, Kind]]:
    """Yields offset, length and kind of all that is declared from the query's bytes on."""
    hints = list(hints)
    structs = {(i.offset % i.stride - i.stride, i.stride, i.tag): None for i in hints if _is_struct_at_stride(i)}
    yield from _at_strides(structs, size)
    for start, hint in _declarations((item for item in hints if not _is_struct_at_stride(item)), size):
        beyond = 0 if hint.period else BEYOND
        for offset, length, kind in hint.expanded(size - start + beyond):
            if start + offset + length > 0:
                yield start + offset, length, kind


def _is_struct_at_stride(item: Evidence) -> bool:
    return bool(item.stride) and isinstance(item.tag, Hint) and item.tag.period is None and item.tag.extent is None


def _at_strides(structs: Iterable[tuple[int, int, Tag | Hint]], size: int) -> Iterator[tuple[int, int, Kind]]:
    """Yields each region once of structs that begin at multiples of a stride: they have most of them in common."""
    rows: dict[tuple[int, int, int, Kind], set[tuple[int, int]]] = {}
    for first, stride, hint in structs:
        assert isinstance(hint, Hint)
        for offset, length, kind in hint.regions:
            start = first + offset
            rows.setdefault((start % stride, stride, length, kind), set()).add((start, size + offset))
    for (_, stride, length, kind), ranges in rows.items():
        done = min(start for start, _ in ranges)
        for start, end in sorted(ranges):
            last = min(end, size + BEYOND)
            for at in range(max(start, done), last, stride):
                if at + length > 0:
                    yield at, min(length, size + BEYOND - at), kind
                done = at + stride


def _declarations(hints: Iterable[Evidence], size: int) -> Iterable[tuple[int, Hint]]:
    """Returns where each declaration begins.

    Arrays that begin at every multiple of a stride and overlap are one endless array for each phase. Of endless arrays
    whose elements coincide only the first is returned.
    """
    endless: dict[tuple[Hint, int], int] = {}
    found: dict[tuple[int, Hint], None] = {}
    at_stride: set[tuple[int, int, Hint]] = set()  # from many elements of an array, the same is seen
    for item in hints:
        hint = item.tag
        assert isinstance(hint, Hint)
        period, stride = hint.period, item.stride
        first = item.offset % stride - stride if stride else item.offset
        if stride:
            if (first, stride, hint) in at_stride:
                continue
            at_stride.add((first, stride, hint))
        if period and _is_endless(hint, lcm(stride, period)):
            for start in range(first, first + (lcm(stride, period) or 1), stride or 1):
                start = start if start >= 0 else start % period - period
                key = _without_end(hint), start % period
                endless[key] = min(start, endless.get(key, start))
        elif stride:
            found.update(((start, hint), None) for start in range(first, size, stride))
        else:
            found[first, hint] = None
    found.update(((start, hint), None) for (hint, _), start in endless.items())
    return found


@cache
def _without_end(array: Hint) -> Hint:
    return replace(array, extent=None)


def _is_endless(array: Hint, distance: int) -> bool:
    """Returns whether the array has no end, or the next one, `distance` bytes further on, begins within it."""
    if array.extent is None or array.period is None:
        return array.extent is None
    return 0 < distance <= array.extent and array.extent % array.period == 0


class DeclaredRegions:
    """What is declared at the offsets where runs begin. Many runs begin at one offset: each is looked up once."""

    def __init__(self, regions: list[tuple[int, int, Kind]]) -> None:
        self._long = [region for region in regions if region[1] > _SHORT]
        self._short = sorted((region for region in regions if region[1] <= _SHORT), key=itemgetter(0))
        self._starts: dict[Kind, list[int]] = {}
        for start, _, kind in regions:
            self._starts.setdefault(kind, []).append(start)
        for starts in self._starts.values():
            starts.sort()
        self._around: dict[int, list[tuple[int, int, Kind]]] = {}
        self._kinds: dict[int, frozenset[Kind]] = {}
        self._ends: dict[tuple[int, int], int | None] = {}

    def _at(self, offset: int) -> list[tuple[int, int, Kind]]:
        """Returns the regions that hold the byte at the offset."""
        found = self._around.get(offset)
        if found is None:
            low = bisect_right(self._short, offset - _SHORT, key=itemgetter(0))
            near = self._short[low : bisect_right(self._short, offset, key=itemgetter(0))]
            found = self._around[offset] = [r for r in (*self._long, *near) if r[0] <= offset < r[0] + r[1]]
        return found

    def is_otherwise(self, offset: int, kind: Kind) -> bool:
        """Returns whether only other kinds are declared at the offset."""
        there = self._kinds.get(offset)
        if there is None:
            there = self._kinds[offset] = frozenset(k for _, _, k in self._at(offset))
        return bool(there) and kind not in there and _OPEN.isdisjoint(there)

    def later(self, offset: int, kind: Kind) -> Iterator[int]:
        """Yields where regions of the kind begin behind the offset, in order."""
        starts = self._starts.get(kind, [])
        return (starts[k] for k in range(bisect_right(starts, offset), len(starts)))

    def end(self, offset: int, size: int) -> int | None:
        """Returns where the first region ends that holds an element and more.

        A declaration that ends inside of the element declares something else and does not count.
        """
        key = offset, size
        if key not in self._ends:
            around = [r for r in self._at(offset) if offset + size <= r[0] + r[1] and r[1] > size]
            self._ends[key] = min((start + length for start, length, _ in around), default=None)
        return self._ends[key]
