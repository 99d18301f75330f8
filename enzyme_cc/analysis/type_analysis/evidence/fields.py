"""Evidence about a few bytes of a node (a field), computed once for all queries that lead there.

Most copies are of single fields, and copies connect almost every field of a program with others. Queries from many
places reach the same fields, many of which reach each other. A field is a vertex of its own graph: (node, first byte,
width, whether it may be another element of an array). A copy never makes a field wider. On a cycle a field keeps its
width, and its bytes keep their places. So all fields of a strongly connected component have the same evidence.

With F fields, W links between them and at most K pieces of evidence each, all queries together take O(F + W·K). Sets of
evidence are bits of integers (evidence_sets.py), so that the factor K is a small one.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd, lcm
from typing import NamedTuple

from msgspec import Struct

from ....ir.graphs import strongly_connected
from ..graph.condensed import Condensed
from ..graph.cycles import Connected, Cycles, ViewCycle
from ..graph.graph_nodes import Node
from ..graph.pools import MovingPool
from .elements import by_elements
from .evidence_sets import EvidenceSets
from .fact_index import FactIndices
from .facts_at_place import emit, emit_anywhere
from .node_index import NodeIndex
from .places import NARROW, WIDEST, Evidence, Place, make_place
from .same_bytes import along_copies, along_views

_MANY_FIELDS = 1_000_000
#: more offsets of one node than this are taken together: copies from element to element of an array have no end
_MANY_OFFSETS = 1000
#: the same for places that may be other elements of an array anyway
_MANY_UNSURE = 16
#: the same for places that may begin at any byte
_MANY_ANYWHERE = 4
#: of so many times the length of an element, a field is long
_MANY_ELEMENTS = 4


class FieldFacts(Struct, frozen=True, eq=False):
    """A set of evidence, seen from a field's first byte. `external`: code that is not analysed may access it."""

    bits: int
    external: bool


class FieldLink(NamedTuple):
    """The field `to` lies at byte `shift` of the query, and at shift + k·`repeats` if that is not 0."""

    to: Place
    shift: int
    repeats: int


#: a link to a field by its number
_Link = tuple[int, int, int]


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
    node, base, unsure, repeats, lo, hi, upward, arrived, margin = place
    assert lo is not None and hi is not None
    return FieldLink(make_place((node, base + lo, unsure, 0, 0, hi - lo, upward, arrived, margin)), lo, repeats)


class Fields:
    """Answers about one solved graph."""

    def __init__(self) -> None:
        self.cycles = Cycles()
        self.graph = Condensed()
        self.sets = EvidenceSets()
        self._node_facts = FactIndices()
        self._indices: dict[Node | MovingPool | ViewCycle, NodeIndex] = {}
        self._numbers: dict[Place, int] = {}
        self._entered: dict[Place, int] = {}  # where links lead -> the field: asked for each link
        self._places: list[Place] = []
        self._facts: dict[int, FieldFacts] = {}
        self._alike: dict[tuple[int, bool], FieldFacts] = {}
        self._own_sets: dict[tuple[object, ...], int] = {}
        self._once: dict[int, int] = {}  # each set of evidence: one may take 10,000 bytes, and most are like others
        self._links: dict[int, list[_Link]] = {}  # of fields whose component is not complete yet
        self._offsets: dict[tuple[object, ...], _Offsets] = {}
        self._leading_on: dict[Node, bool] = {}

    def index(self, node: Node | MovingPool | ViewCycle) -> NodeIndex:
        """Returns the node's facts and edges by the words that they concern."""
        found = self._indices.get(node)
        if found is None:
            found = self._indices[node] = NodeIndex(node, self.graph, self._node_facts)
        return found

    def facts(self, place: Place) -> FieldFacts:
        """Returns the evidence about a field. Raises TooManyFields."""
        field = self._number(place)
        for members in strongly_connected(field, self._linked, self._facts):
            self._facts.update(dict.fromkeys(members, self._facts_of_component(members)))
        return self._facts[field]

    @property
    def visited(self) -> int:
        """The number of fields that were visited so far."""
        return len(self._places)

    def _number(self, place: Place) -> int:
        """Returns the field's number: the numbers of fields are compared far more often than fields are made."""
        number = self._numbers.setdefault(place, len(self._places))
        if number == len(self._places):
            self._places.append(place)
        return number

    # -- links

    def _linked(self, field: int) -> list[int]:
        if len(self._facts) + len(self._links) > _MANY_FIELDS:
            raise TooManyFields
        entered, links = self._entered, dict[_Link, None]()
        for place, shift, repeats in self._links_from(self._places[field]):
            number = entered.get(place)
            if number is None:
                number = entered[place] = self._number(self._limited(self.entering(place)))
            links[number, shift, repeats] = None
        self._links[field] = list(links)
        return [to for to, _, _ in links]

    def _limited(self, place: Place) -> Place:
        """Returns the place. If links lead to ever new offsets, it stands for any element of the array they lie in.

        Asked again, the answer is the same: once there are too many offsets, no further ones are looked at apart.
        """
        node, base, unsure, repeats, lo, hi, upward, arrived, margin = place
        key = node, unsure, repeats, lo, hi, upward, arrived, margin
        offsets = self._offsets.get(key)
        if offsets is None:
            offsets = self._offsets[key] = _Offsets(base, self._limit(place))
        if offsets.admit(base):
            return place
        in_pool = self.pool_of(place)
        step = gcd(unsure, in_pool[0].period if in_pool else gcd(offsets.step, base - offsets.first))
        return make_place((node, base % step, step, repeats, lo, hi, upward, arrived, margin))

    def _limit(self, place: Place) -> int:
        if place.unsure == 1:
            return _MANY_ANYWHERE
        return _MANY_UNSURE if place.unsure or self.pool_of(place) is not None else _MANY_OFFSETS

    def pool_of(self, place: Place) -> tuple[MovingPool, int] | None:
        """Returns the pool that a place lies in, and the offset in it."""
        node = place.node
        if not isinstance(node, Node):
            return (node, place.base) if isinstance(node, MovingPool) else None
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
        """Returns where the data of a place in a pool may be moved to; None if that is the same place, or nowhere."""
        found = self.pool_of(place)
        if found is None or _is_before(place, *found):
            return None
        around = _anywhere(place, *found)
        return None if around == place else around

    def _links_from(self, place: Place) -> Iterator[tuple[Place, int, int]]:
        around = self.around(place)
        if around is not None:
            yield around, 0, 0
        if _is_in_heap(place):
            return
        element = _element_of(place)
        if element is not None:
            yield element, 0, place.unsure
            return
        yield from self._plain_links(place)

    def _plain_links(self, place: Place) -> Iterator[tuple[Place, int, int]]:
        period = self._period(place)
        if period and not place.arrived and isinstance(place.node, Node):
            large = self.cycles.large(place.node)
            if large is not None:
                yield place._replace(arrived=True), 0, 0
                yield _in_cycle(place, large, large.members[place.node]), 0, 0
                return
            _, base, unsure, repeats, lo, hi, upward, _, margin = place
            for node, distance in self.cycles.round(place.node, upward):
                if upward and not self._leads_on(node):
                    continue
                is_head = upward and self._is_before_walk(place, base + distance)
                for stride in (unsure,) if is_head else (unsure, gcd(unsure, period)):
                    yield make_place((node, base + distance, stride, repeats, lo, hi, upward, True, margin)), 0, 0
            return
        index = self.index(place.node)
        for after in along_views(place, index):
            if not period or not self._is_on_cycle(place.node, after.node):
                yield after, 0, 0
        for to, base, unsure, repeats, lo, hi, upward, arrived, margin in along_copies(place, index):
            assert lo is not None and hi is not None
            yield make_place((to, base + lo, unsure, 0, 0, hi - lo, upward, arrived, margin)), lo, repeats

    def _is_before_walk(self, place: Place, base: int) -> bool:
        """Returns whether pointers that walk forwards begin behind the place: it is no element that they reach."""
        if not isinstance(place.node, Node) or place.hi is None or place.unsure:
            return False
        return base + place.hi <= 0 and self.cycles.goes_forwards(place.node)

    def _leads_on(self, node: Node) -> bool:
        """Returns whether there are copies of a node on a cycle, or of views of it that are not on the cycle."""
        found = self._leading_on.get(node)
        if found is None:
            index = self.index(node)
            found = bool(index.copies) or any(not self._is_on_cycle(node, view) for view, _, _ in index.viewers)
            self._leading_on[node] = found
        return found

    def _is_on_cycle(self, a: Node | MovingPool | ViewCycle, b: Node | MovingPool | ViewCycle) -> bool:
        if not (isinstance(a, Node) and isinstance(b, Node)):
            return False
        self.cycles.period(b)
        return self.cycles.together(a, b)

    def _period(self, place: Place) -> int:
        return self.cycles.period(place.node) if isinstance(place.node, Node) else 0

    # -- evidence

    def _facts_of_component(self, members: list[int]) -> FieldFacts:
        """Returns the evidence about all fields of a strongly connected component."""
        width = self._places[members[0]].hi
        assert width is not None
        bits, external = 0, False
        for place in map(self._places.__getitem__, members):
            if not place.upward and (place.arrived or not self._period(place)):
                bits |= self.own_set(place)
                external |= self._is_external(place)
        inside = set(members)
        steps: set[int] = set()
        seen: dict[tuple[int, int], int] = {}  # shift, repeats -> the evidence that links of this kind lead to
        for to, shift, repeats in (link for number in members for link in self._links.pop(number)):
            if to in inside:
                steps.add(repeats)
                continue
            further = self._facts[to]
            external |= further.external
            seen[shift, repeats] = seen.get((shift, repeats), 0) | further.bits
        for (shift, repeats), found in seen.items():
            is_plain = not shift and not repeats
            bits |= found if is_plain else self.sets.seen_before(found, shift, repeats, width)
        bits = self.sets.longest(self.sets.repeating(bits, steps - {0}, width))
        return self._alike.setdefault((bits, external), FieldFacts(bits, external))

    def _is_external(self, place: Place) -> bool:
        return self._around_pool(place.node).is_external if _is_in_heap(place) else place.node.external

    def _around_pool(self, node: Node | MovingPool | ViewCycle) -> Connected:
        """Returns what is known of all memory that is connected with a pool."""
        assert isinstance(node, MovingPool)
        return self.cycles.contents(next(iter(node.members)))

    def own_set(self, place: Place) -> int:
        """Returns the set of what the place's own node says of it. Most nodes have the same facts as others."""
        known = self.index(place.node).known
        pool = (place.node.start, place.node.period) if isinstance(place.node, MovingPool) else None
        key = known.number, pool, place.base, place.unsure, place.repeats, place.lo, place.hi
        bits = self._own_sets.get(key)
        if bits is None:
            items: dict[Evidence, None] = {}
            emit(place, known, items)
            if _is_in_heap(place) and place.unsure:
                emit_anywhere(place, self._around_pool(place.node).kinds, items)
            if place.hi is not None and place.hi <= NARROW:
                items = by_elements(items, place.hi)
            found = self.sets.of(items)
            bits = self._own_sets[key] = self._once.setdefault(found, found)
        return bits


def _element_of(place: Place) -> Place | None:
    """Returns a part of a long field that stands for all of it; None if there is none.

    In a pool, a place that may be any element of an array has the same evidence in each element. Otherwise each copy
    to another object leads to a field that begins an element later, and from there back to the pool.
    """
    if not isinstance(place.node, MovingPool) or not place.unsure or place.hi is None:
        return None
    width = (-(-WIDEST // place.unsure) + 1) * place.unsure
    return place._replace(hi=width) if place.hi >= _MANY_ELEMENTS * width else None


def _is_in_heap(place: Place) -> bool:
    """Returns whether the place is in a heap that holds everything: what is copied from there tells nothing more."""
    return isinstance(place.node, MovingPool) and place.node.is_one_heap


def _is_before(place: Place, pool: MovingPool, base: int) -> bool:
    """Returns whether the place ends before the first byte that the pool's copies move: the head of an object."""
    return not place.unsure and place.hi is not None and base + place.hi <= pool.start


def _anywhere(place: Place, pool: MovingPool, base: int) -> Place:
    """Returns the place in a pool that stands for all places to which the data may be moved."""
    step = gcd(place.unsure, pool.period)
    return place._replace(node=pool, base=base % lcm(step, WIDEST), unsure=step, upward=False, arrived=False)


def _in_cycle(place: Place, cycle: ViewCycle, at: int) -> Place:
    """Returns the place in a large cycle of views that stands for a place in one of its nodes."""
    step = gcd(place.unsure, cycle.period)
    return place._replace(node=cycle, base=(place.base - at) % lcm(step, WIDEST), unsure=step, arrived=True)
