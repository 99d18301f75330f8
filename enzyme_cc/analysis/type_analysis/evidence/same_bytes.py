"""The places with the same bytes as a place, which the edges of the graph lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import gcd, lcm

from ...integers.signs import Direction
from ..graph.graph_nodes import Edge
from .node_index import NodeIndex
from .places import NARROW, WIDEST, Place, make_place


def along_views(place: Place, index: NodeIndex) -> Iterator[Place]:
    """Yields the places in what the node views, and in what views the node."""
    _, base, unsure, repeats, lo, hi, upward, _, margin = place
    if not upward:
        for target, dst, stride in index.views:
            yield make_place((target, base + dst, gcd(unsure, stride), repeats, lo, hi, False, False, margin))
    for view, dst, stride in index.viewers_of(place):
        is_head = hi is not None and not unsure and base + hi <= dst  # no pointer to an element leads before the array
        step = 0 if is_head else gcd(unsure, stride)
        yield make_place((view, base - dst, step, repeats, lo, hi, True, False, margin))


#: which byte of the target byte 0 of the query is, and the bounds of the query's bytes that are copied
_Shifted = tuple[int, int | None, int | None]


def along_copies(place: Place, index: NodeIndex) -> Iterator[Place]:
    """Yields the places in memory that was copied to or from here."""
    is_one_place = not (place.unsure or place.repeats)
    for edge in index.copies_of(place):
        if is_one_place and not edge.src_stride:  # most are: nothing repeats
            shift = place.base - edge.src
            lo, hi = _range(place, edge, shift)
            if (lo is None or hi is None or lo < hi) and _reaches_in(place, lo, hi):
                yield _copied(place, edge, shift, edge.dst_stride, 0, lo, hi)
            continue
        step = _step(place, edge)
        unsure = gcd(0 if edge.src_stride else place.unsure, edge.dst_stride)
        repeats = step if edge.src_stride else place.repeats
        found = [(shift, *_range(place, edge, shift)) for shift in _shifts(place, edge, step)]
        found = [(shift, lo, hi) for shift, lo, hi in found if lo is None or hi is None or lo < hi]
        if len(found) > 1 and unsure and step % unsure == 0:
            found = _widest(found)
        whole = [(lo, hi) == (_lo(edge, shift), _hi(edge, shift)) for shift, lo, hi in found]
        for is_whole, (shift, lo, hi) in zip(whole, found, strict=True):
            again = step if is_whole and _is_narrow(place) else repeats
            if _reaches_in(place, lo, hi) or (again and (is_whole or not any(whole))):
                yield _copied(place, edge, shift, unsure, again, lo, hi)


def _reaches_in(place: Place, lo: int | None, hi: int | None) -> bool:
    """Returns whether some of the bytes are not in the margin of the place."""
    if not place.margin or lo is None or hi is None:
        return True
    begin, end = place.inner
    return lo < end and hi > begin


def _copied(place: Place, edge: Edge, shift: int, unsure: int, repeats: int, lo: int | None, hi: int | None) -> Place:
    margin = place.margin if (lo, hi) == (place.lo, place.hi) else 0
    return make_place((edge.target, edge.dst + shift, unsure, repeats, lo, hi, False, False, margin))


def _widest(found: list[_Shifted]) -> list[_Shifted]:
    """Returns the ranges that are no part of another one: each may begin at any element of the same array.

    Otherwise a query about a thousand bytes would ask about each smaller number of bytes, too.
    """
    ends: dict[int | None, int] = {}
    begins: dict[int | None, int] = {}
    for _, lo, hi in found:
        if lo is not None and hi is not None:
            ends[lo], begins[hi] = max(hi, ends.get(lo, hi)), min(lo, begins.get(hi, lo))
    return [f for f in found if ends.get(f[1]) == f[2] and begins.get(f[2]) == f[1]]


def _is_narrow(place: Place) -> bool:
    """Returns whether the place may be any element of an array, and the evidence about it is kept by elements."""
    return bool(place.unsure) and place.lo is not None and place.hi is not None and place.hi - place.lo <= NARROW


def _step(place: Place, edge: Edge) -> int:
    """Returns after how many bytes what is copied repeats, as seen from the place; 0 if it does not.

    If that is less than what is copied, little is known of the stride. It is at least the alignment, as for accesses.
    """
    step = gcd(place.unsure, place.repeats, edge.src_stride)
    width = 0 if edge.lo is None or edge.hi is None else edge.hi - edge.lo
    return lcm(step, min(WIDEST, width & -width)) if step < width else step


def _shifts(place: Place, edge: Edge, step: int) -> Iterable[int]:
    """Returns which bytes of the copied memory, or of an element of it, byte 0 of the query may be.

    Elements that are copied repeat after `step` bytes. So these are the first that begins inside of the query, and the
    one before it, of which a part may be inside. If the place may be another element, each that is inside counts. Where
    evidence is kept by elements, the first one that is inside as a whole stands for all later ones.

    What lies in an object before the place where a pointer points is no element of the array that begins there, unless
    indices surely lead back: a matrix has its sizes before its own buffer.
    """
    shift = place.base - edge.src
    if not step:
        return (shift,)
    is_sure = edge.direction >= (Direction.EITHER if place.upward else Direction.FORWARDS)
    is_sure = is_sure and not place.unsure and not place.repeats
    if edge.lo is None or edge.hi is None:
        is_here = is_sure if shift < 0 else not edge.src_stride
        return (shift if is_here else shift % step,)
    start, width, lo = edge.lo - shift, edge.hi - edge.lo, place.lo or 0
    first = lo + (start - lo) % step
    if place.unsure and place.hi is not None:
        earliest = first - step if first - step + width > lo else first
        stands_for_all = _is_narrow(place) and first + width <= place.hi  # what is copied repeats from there on
        return [edge.lo - at for at in range(earliest, first + 1 if stands_for_all else place.hi, step)]
    if not edge.src_stride and (place.hi is None or start < place.hi) and start + width > lo:
        return (shift,)
    starts = [max(start, first)] if is_sure else [first]
    if first - step + width > lo and (first - step >= start or not is_sure):
        starts.append(first - step)
    return [edge.lo - at for at in starts]


def _lo(edge: Edge, shift: int) -> int | None:
    return None if edge.lo is None else edge.lo - shift


def _hi(edge: Edge, shift: int) -> int | None:
    return None if edge.hi is None else edge.hi - shift


def _range(place: Place, edge: Edge, shift: int) -> tuple[int | None, int | None]:
    """Returns the bounds of the query's bytes that the copy covers."""
    lo, hi = _lo(edge, shift), _hi(edge, shift)
    if place.lo is not None:
        lo = place.lo if lo is None else max(lo, place.lo)
    if place.hi is not None:
        hi = place.hi if hi is None else min(hi, place.hi)
    return lo, hi
