"""What is known of a few bytes of a node, found once for all that lead there.

Copies are mostly of single fields, and almost every field of a program is connected with others by them. So from each
place asked about the same fields are reached, many of which lead to one another. A field is therefore a vertex of a
graph of its own: (node, first byte, width, whether it may be elsewhere in an array). Copies never make it wider, so
that on a way round in a circle it keeps its width and its bytes their places: all fields of a strongly connected
component have the same known of them. With F fields, W ways between them and at most K items in one, that takes
O(F + W·K) for all questions together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import gcd
from typing import NamedTuple

from ....ir.graphs import strongly_connected
from ..graph.cycles import Cycles
from ..graph.graph_nodes import Node
from .places import Item, State, Surroundings, Tier, along_copies, along_views, emit, repeated

_MANY_FIELDS = 1_000_000
#: offsets of one node that are looked at apart: copies from element to element of an array go on and on
_MANY_OFFSETS = 1000


@dataclass
class Known:
    """Items relative to a field's first byte. `external`: code that is not analysed may access it."""

    items: dict[Item, None] = field(default_factory=dict)
    external: bool = False


class Way(NamedTuple):
    """The field is what lies at `shift` in what is asked about, in each of its elements if it `repeats`."""

    to: State
    shift: int
    repeats: int


class TooManyFields(Exception):
    """No answer in reasonable time."""


def way_to(state: State) -> Way:
    """A bounded state as a field."""
    assert state.lo is not None and state.hi is not None
    place = state._replace(base=state.base + state.lo, lo=0, hi=state.hi - state.lo, repeats=0)
    return Way(place, state.lo, state.repeats)


class Fields:
    """Answers for one solved graph."""

    def __init__(self) -> None:
        self.cycles = Cycles()
        self._around: dict[Node, Surroundings] = {}
        self._known: dict[State, Known] = {}
        self._ways: dict[State, list[Way]] = {}  # of those that are being looked at
        self._offsets: dict[State, set[int]] = {}

    def around(self, node: Node) -> Surroundings:
        found = self._around.get(node)
        if found is None:
            found = self._around[node] = Surroundings(node)
        return found

    def known(self, place: State) -> Known:
        """What is known of a field. Raises TooManyFields."""
        for members in strongly_connected(place, self._near, self._known):
            self._known.update(dict.fromkeys(members, self._close(members)))
        return self._known[place]

    def _near(self, place: State) -> list[State]:
        if len(self._known) + len(self._ways) > _MANY_FIELDS:
            raise TooManyFields
        ways = self._ways[place] = list(dict.fromkeys(self._near_by(way) for way in self._ways_from(place)))
        return [way.to for way in ways]

    def _near_by(self, way: Way) -> Way:
        """The way, or where its offset is one of ever new ones, that to any element of an array they are in."""
        place = way.to
        offsets = self._offsets.setdefault(place._replace(base=0), set())
        if place.base in offsets or len(offsets) < _MANY_OFFSETS:
            offsets.add(place.base)
            return way
        step = gcd(place.unsure, *(offset - place.base for offset in offsets))
        return way._replace(to=place._replace(base=place.base % step, unsure=step))

    def _ways_from(self, place: State) -> Iterable[Way]:
        period = self.cycles.period(place.node)
        if period and not place.arrived:
            for node, distance in self.cycles.round(place.node, place.upward):
                there = place._replace(node=node, base=place.base + distance, arrived=True)
                yield Way(there, 0, 0)
                yield Way(there._replace(unsure=gcd(place.unsure, period)), 0, 0)
            return
        around = self.around(place.node)
        for after in along_views(place, around):
            if not period or not self._goes_round(place.node, after.node):
                yield Way(after, 0, 0)
        for after in along_copies(place, around):
            yield way_to(after)

    def _goes_round(self, a: Node, b: Node) -> bool:
        self.cycles.period(b)
        return self.cycles.together(a, b)

    def _close(self, members: list[State]) -> Known:
        """What is known of all fields of a strongly connected component."""
        inside = set(members)
        width = members[0].hi
        assert width is not None
        known = Known()
        repeats: set[int] = set()
        below: dict[tuple[int, int, int], tuple[Known, Way]] = {}
        for place in members:
            self._note(place, known)
            for way in self._ways.pop(place):
                if way.to not in inside:
                    further = self._known[way.to]
                    below[id(further), way.shift, way.repeats] = further, way
                elif way.repeats:
                    repeats.add(way.repeats)
        plain = [further for further, way in below.values() if not way.shift and not way.repeats]
        most = max(plain, key=lambda further: len(further.items), default=Known())
        for further, way in below.values():
            if further is not most or way.shift or way.repeats:
                known.external = known.external or further.external
                known.items.update(_seen_through(way, further.items, width))
        if not repeats and known.external <= most.external and known.items.keys() <= most.items.keys():
            return most  # an object knows already what is known of the views of it
        known.external = known.external or most.external
        known.items = most.items | known.items
        _repeat_all(known.items, repeats, width)
        return known

    def _note(self, place: State, known: Known) -> None:
        if place.upward or (not place.arrived and self.cycles.period(place.node)):
            return
        known.external = known.external or place.node.external
        emit(place, self.around(place.node), known.items)


def moved(item: Item, shift: int) -> Item:
    if not shift:
        return item
    return item._replace(offset=item.offset + shift, end=None if item.end is None else item.end + shift)


def _seen_through(way: Way, items: dict[Item, None], width: int) -> Iterable[tuple[Item, None]]:
    """What is known of a part of a field of some width, as it looks from there."""
    if not way.shift and not way.repeats:
        return items.items()
    return ((i, None) for item in items for i in _within(moved(item, way.shift), way.repeats, width))


def _within(item: Item, repeats: int, width: int) -> dict[Item, None]:
    """The item in a field of some width that is an array of elements."""
    if not repeats:
        return {item: None}
    if repeats < width:
        return {i._replace(end=width if i.stride else None): None for i in repeated(item, repeats)}
    return {item._replace(stride=repeats, end=width, tier=Tier.STRIDED) if item.tier is Tier.EXACT else item: None}


def _repeat_all(items: dict[Item, None], repeats: set[int], width: int) -> None:
    """Elements of arrays that the field goes round through are alike."""
    work = list(items) if repeats else []
    while work:
        item = work.pop()
        for step in repeats:
            for more in _within(item, step, width):
                if more not in items:
                    items[more] = None
                    work.append(more)
