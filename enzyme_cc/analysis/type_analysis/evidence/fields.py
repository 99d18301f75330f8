"""Evidence about a few bytes of a node (a field), computed once for all queries that lead there.

Most copies are of single fields, and copies connect almost every field of a program with others. Queries from many
places reach the same fields, many of which reach each other. A field is a vertex of its own graph: (node, first byte,
width, whether it may be another element of an array). A copy never makes a field wider. On a cycle a field keeps its
width, and its bytes keep their places. So all fields of a strongly connected component have the same evidence.

With F fields, W links between them and at most K pieces of evidence each, all queries together take O(F + W·K).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import gcd, lcm
from typing import NamedTuple

from ....ir.graphs import strongly_connected
from ..graph.condensed import Condensed
from ..graph.cycles import Cycles
from ..graph.graph_nodes import Node
from ..graph.pools import MovingPool
from .elements import NARROW, by_elements, repeated_elements
from .places import WIDEST, Evidence, NodeIndex, Place, Tier, along_copies, along_views, emit, repeated

_MANY_FIELDS = 1_000_000
#: more offsets of one node than this are taken together: copies from element to element of an array have no end
_MANY_OFFSETS = 1000
#: the same for places that may be other elements of an array anyway
_MANY_UNSURE = 16


@dataclass
class FieldFacts:
    """Evidence, seen from a field's first byte. `external`: code that is not analysed may access it."""

    items: dict[Evidence, None] = field(default_factory=dict)
    external: bool = False


class FieldLink(NamedTuple):
    """The field `to` lies at byte `shift` of the query, and at shift + k·`repeats` if that is not 0."""

    to: Place
    shift: int
    repeats: int

    @property
    def is_plain(self) -> bool:
        """True if both ends are the same bytes of the query."""
        return not self.shift and not self.repeats


class _Offsets:
    """The offsets of one kind of field in a node. `step` divides the distances between them."""

    __slots__ = ("_known", "_limit", "first", "step")

    def __init__(self, first: int, limit: int) -> None:
        self._limit = limit
        self.first = first
        self.step = 0
        self._known = {first}

    def admit(self, offset: int) -> bool:
        """Returns whether the offset is looked at apart."""
        if offset in self._known:
            return True
        if len(self._known) >= self._limit:
            return False
        self._known.add(offset)
        self.step = gcd(self.step, offset - self.first)
        return True


class TooManyFields(Exception):
    """There are too many fields for an answer in reasonable time."""


def link_to(place: Place) -> FieldLink:
    """Returns the link to a place with bounds, seen as a field."""
    node, base, unsure, repeats, lo, hi, upward, arrived = place
    assert lo is not None and hi is not None
    return FieldLink(Place(node, base + lo, unsure, 0, 0, hi - lo, upward, arrived), lo, repeats)


class Fields:
    """Answers about one solved graph."""

    def __init__(self) -> None:
        self.cycles = Cycles()
        self.graph = Condensed()
        self._indices: dict[Node | MovingPool, NodeIndex] = {}
        self._facts: dict[Place, FieldFacts] = {}
        self._links: dict[Place, list[FieldLink]] = {}  # of fields whose component is not complete yet
        self._offsets: dict[Place, _Offsets] = {}

    def index(self, node: Node | MovingPool) -> NodeIndex:
        """Returns the node's facts and edges by the words that they concern."""
        found = self._indices.get(node)
        if found is None:
            found = self._indices[node] = NodeIndex(node, self.graph)
        return found

    def facts(self, place: Place) -> FieldFacts:
        """Returns the evidence about a field. Raises TooManyFields."""
        for members in strongly_connected(place, self._linked, self._facts):
            self._facts.update(dict.fromkeys(members, self._facts_of_component(members)))
        return self._facts[place]

    # -- links

    def _linked(self, place: Place) -> list[Place]:
        if len(self._facts) + len(self._links) > _MANY_FIELDS:
            raise TooManyFields
        links = self._links[place] = list(dict.fromkeys(map(self._limited, self._links_from(place))))
        return [link.to for link in links]

    def _limited(self, link: FieldLink) -> FieldLink:
        """Returns the link. If it leads to ever new offsets, it leads to any element of the array they lie in."""
        place = link.to
        key = Place(place.node, 0, place.unsure, place.repeats, place.lo, place.hi, place.upward, place.arrived)
        offsets = self._offsets.get(key)
        if offsets is None:
            few = place.unsure or self.pool_of(place) is not None
            offsets = self._offsets[key] = _Offsets(place.base, _MANY_UNSURE if few else _MANY_OFFSETS)
        if offsets.admit(place.base):
            return link
        in_pool = self.pool_of(place)
        step = gcd(place.unsure, in_pool[0].period if in_pool else gcd(offsets.step, place.base - offsets.first))
        return link._replace(to=place._replace(base=place.base % step, unsure=step))

    def pool_of(self, place: Place) -> tuple[MovingPool, int] | None:
        """Returns the pool that a place lies in, and the offset in it."""
        node = place.node
        if isinstance(node, MovingPool):
            return node, place.base
        pool = self.graph.pool(node)
        return None if pool is None else (pool, place.base - pool.members[node])

    def entering(self, place: Place) -> Place:
        """Returns a place with bounds, as one of a pool if the pool's copies reach it."""
        found = self.pool_of(place)
        if found is None or place.hi is None:
            return place
        pool, base = found
        if place.unsure:
            return _anywhere(place, pool, base)
        if base < pool.start:
            return place
        return place._replace(node=pool, base=base, upward=False, arrived=False)

    def around(self, place: Place) -> Place | None:
        """Returns where the data of a place in a pool may be moved to; None if that is the same place."""
        found = self.pool_of(place)
        around = _anywhere(place, *found) if found is not None else None
        return None if around == place else around

    def _links_from(self, place: Place) -> Iterable[FieldLink]:
        around = self.around(place)
        if around is not None:
            yield FieldLink(around, 0, 0)
        for link in self._plain_links(place):
            yield link._replace(to=self.entering(link.to))

    def _plain_links(self, place: Place) -> Iterable[FieldLink]:
        period = self._period(place)
        if period and not place.arrived and isinstance(place.node, Node):
            for node, distance in self.cycles.round(place.node, place.upward):
                if place.upward and not self._leads_on(node):
                    continue
                there = place._replace(node=node, base=place.base + distance, arrived=True)
                yield FieldLink(there, 0, 0)
                yield FieldLink(there._replace(unsure=gcd(place.unsure, period)), 0, 0)
            return
        index = self.index(place.node)
        for after in along_views(place, index):
            if not period or not self._is_on_cycle(place.node, after.node):
                yield FieldLink(after, 0, 0)
        for after in along_copies(place, index):
            yield link_to(after)

    def _leads_on(self, node: Node) -> bool:
        """Returns whether there are copies of a node on a cycle, or of views of it that are not on the cycle."""
        index = self.index(node)
        return bool(index.copies) or any(not self._is_on_cycle(node, view) for view, _, _ in index.viewers)

    def _is_on_cycle(self, a: Node | MovingPool, b: Node | MovingPool) -> bool:
        if isinstance(a, MovingPool) or isinstance(b, MovingPool):
            return False
        self.cycles.period(b)
        return self.cycles.together(a, b)

    def _period(self, place: Place) -> int:
        return 0 if isinstance(place.node, MovingPool) else self.cycles.period(place.node)

    # -- evidence

    def _facts_of_component(self, members: list[Place]) -> FieldFacts:
        """Returns the evidence about all fields of a strongly connected component.

        An object usually knows all that is known of its views. Then the object's own set is returned, not a copy.
        """
        width = members[0].hi
        assert width is not None
        facts = FieldFacts()
        for place in members:
            self._add_own(place, facts)
        inner, leaving = self._split_links(members)
        repeats = {link.repeats for link in inner if link.repeats}
        if width <= NARROW:
            facts.items = by_elements(facts.items, width)
        largest = _largest(leaving)
        for further, link in leaving:
            if further is not largest or not link.is_plain:
                facts.external = facts.external or further.external
                facts.items.update(_through_link(link, further.items, width))
        if not repeats and facts.external <= largest.external and facts.items.keys() <= largest.items.keys():
            return largest
        facts.external = facts.external or largest.external
        facts.items = largest.items | facts.items
        _repeat_all(facts.items, repeats, width)
        return facts

    def _split_links(self, members: list[Place]) -> tuple[list[FieldLink], list[tuple[FieldFacts, FieldLink]]]:
        """Returns the links inside of the component, and those that leave it with the evidence they lead to."""
        inside = set(members)
        links = [link for place in members for link in self._links.pop(place)]
        leaving = [(self._facts[link.to], link) for link in links if link.to not in inside]
        alike = {(id(further), link.shift, link.repeats): (further, link) for further, link in leaving}
        return [link for link in links if link.to in inside], list(alike.values())

    def _add_own(self, place: Place, facts: FieldFacts) -> None:
        if place.upward or (not place.arrived and self._period(place)):
            return
        facts.external = facts.external or place.node.external
        emit(place, self.index(place.node), facts.items)


def _anywhere(place: Place, pool: MovingPool, base: int) -> Place:
    """Returns the place in a pool that stands for all places to which the data may be moved."""
    step = gcd(place.unsure, pool.period)
    return place._replace(node=pool, base=base % lcm(step, WIDEST), unsure=step, upward=False, arrived=False)


def moved(item: Evidence, shift: int) -> Evidence:
    """Returns the evidence, seen from a place `shift` bytes before."""
    if not shift:
        return item
    offset, stride, end, tag, tier = item  # millions of these are made: `_replace` takes three times as long
    return Evidence(offset + shift, stride, None if end is None else end + shift, tag, tier)


def _largest(leaving: list[tuple[FieldFacts, FieldLink]]) -> FieldFacts:
    """Returns the largest set that plain links lead to."""
    plain = (further for further, link in leaving if link.is_plain)
    return max(plain, key=lambda further: len(further.items), default=FieldFacts())


def _through_link(link: FieldLink, items: dict[Evidence, None], width: int) -> Iterable[tuple[Evidence, None]]:
    """Returns the evidence at the end of a link, seen from a field of some width at its start."""
    if link.is_plain:
        return items.items()
    _, shift, repeats = link
    if not repeats:
        return ((moved(item, shift), None) for item in items)
    return ((i, None) for item in items for i in _within(moved(item, shift), repeats, width))


def _within(item: Evidence, repeats: int, width: int) -> dict[Evidence, None]:
    """Returns the evidence as it holds in a field of some width that is an array of elements."""
    if width <= NARROW:
        return repeated_elements(item, repeats, width)
    if repeats < width:
        return {i._replace(end=width if i.stride else None): None for i in repeated(item, repeats)}
    if item.tier is not Tier.EXACT:
        return {item: None}
    return {Evidence(item.offset, repeats, width, item.tag, Tier.STRIDED): None}


def _repeat_all(items: dict[Evidence, None], repeats: set[int], width: int) -> None:
    """Adds what holds at other elements, if cycles of links lead through elements of arrays."""
    work = list(items) if repeats else []
    while work:  # `items` grows in order of discovery
        item = work.pop()
        for step in repeats:
            for more in _within(item, step, width):
                if more not in items:
                    items[more] = None
                    work.append(more)
