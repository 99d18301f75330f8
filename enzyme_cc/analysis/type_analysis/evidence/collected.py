"""Collects all evidence about the bytes at a place: of the node, its targets, its copies, and its views' copies.

Views and copies of unknown size are walked for each query, once for each node and offset. What lies behind copies of
known size is looked up (fields.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import gcd

from ..graph.cycles import Cycles
from ..graph.graph_nodes import Handle, Node
from ..graph.pools import MovingPool
from .evidence_sets import moved
from .fields import FieldLink, Fields, TooManyFields, link_to
from .places import Evidence, NodeIndex, Place, Tier, along_copies, along_views, emit, repeated

_MANY_PLACES = 100_000
_MANY_OFFSETS = 6
#: bytes before and after those of the query in which an access that touches these may begin or end
_AROUND = 16
_WORD = 8

#: how a query sees a field: shift, repeats (see FieldLink)
_View = tuple[int, int]
#: places that were visited, by node
_Places = dict[Node | MovingPool, list[Place]]


@dataclass
class Collected:
    """The evidence about some bytes.

    `external`: code that is not analysed may access them too. `complete`: the search was not given up. `cut`: elements
    of arrays behind what seems to end them, which count only where that is in doubt.
    """

    items: dict[Evidence, None]
    external: bool = False
    complete: bool = True
    cut: dict[Evidence, None] = field(default_factory=dict)


class Collector:
    """Answers queries about one solved graph. Those with the same answer get the same object: it has one layout."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._answers: dict[tuple[frozenset[tuple[_View, int]], bool], Collected] = {}
        self._whole: dict[tuple[frozenset[Evidence], bool, bool, frozenset[Evidence]], Collected] = {}

    def collect(self, handles: Iterable[Handle], size: int | None = None) -> Collected:
        """Returns the evidence about all places together: at any offset, or about the first `size` bytes.

        Queries about few bytes look at the whole words that these lie in, so that they share their fields.
        """
        fields, found = self._fields, Collected({})
        try:
            places = [(*fields.graph.place(h.node.find()), h) for h in handles]
            starts = [_start(root, at + h.offset, h.stride, size) for root, at, h in places]
            sets = _look_up(_walk(starts, fields, found), fields, found)
        except TooManyFields:
            found.complete = False
            sets = {}
        if size is None or not found.complete:
            _add(sets, fields, found)
            alike = frozenset(found.items), found.external, found.complete, frozenset(found.cut)
            return self._whole.setdefault(alike, found)
        key = frozenset(sets.items()), found.external
        answer = self._answers.get(key)
        if answer is None:
            _add(sets, fields, found)
            answer = self._answers[key] = found
        return answer


def _start(node: Node, base: int, unsure: int, size: int | None) -> Place:
    """Returns the place that a query begins at."""
    if size is None:
        return Place(node, base, unsure, 0, None, None, False)
    before = base % _WORD
    words = -(-(before + max(size, 1)) // _WORD)
    return Place(node, base, unsure, 0, -_AROUND - before, words * _WORD - before + _AROUND, False)


def _walk(work: list[Place], fields: Fields, found: Collected) -> Iterable[FieldLink]:
    """Adds the evidence of all places without bounds. Returns the links to fields."""
    places: _Places = {}
    later: list[Place] = []  # unsure places come last, so that they do not hide sure ones
    links: dict[FieldLink, None] = {}
    count = 0
    while work or later:
        place = (work or later).pop()
        if place.hi is not None:
            link = link_to(place)
            links[link._replace(to=fields.entering(link.to))] = None
            continue
        admitted = _admit(place, places, fields.cycles)
        if admitted is None:
            continue
        count += 1
        if count > _MANY_PLACES:
            raise TooManyFields
        index = fields.index(admitted.node)
        if not admitted.upward:
            found.external = found.external or admitted.node.external
            emit(admitted, index, found.items)
        for after in _next(admitted, index, fields):
            (later if after.unsure else work).append(after)
    return links


def _next(place: Place, index: NodeIndex, fields: Fields) -> Iterator[Place]:
    """Yields the places with the same bytes. In a pool, only views are followed apart from the pool itself."""
    in_pool = fields.pool_of(place) if isinstance(place.node, Node) else None
    if in_pool is not None and not place.unsure:
        yield place._replace(node=in_pool[0], base=in_pool[1], upward=False)
    around = fields.around(place)
    if around is not None:
        yield around
    for after in along_views(place, index):
        if in_pool is None or not after.upward:
            yield after
    if in_pool is None:
        yield from along_copies(place, index)


def _look_up(links: Iterable[FieldLink], fields: Fields, found: Collected) -> dict[_View, int]:
    """Returns the evidence about fields: a set for each way in which the query sees them."""
    sets: dict[_View, int] = {}
    for link in links:
        facts = fields.facts(link.to)
        found.external = found.external or facts.external
        view = link.shift, link.repeats
        sets[view] = sets.get(view, 0) | facts.bits
    return sets


def _add(sets: dict[_View, int], fields: Fields, found: Collected) -> None:
    for (shift, repeats), bits in sets.items():
        for item in fields.sets.pieces(bits):
            seen = repeated(moved(item, shift), repeats)
            (found.cut if item.tier is Tier.CUT else found.items).update(seen)


def _admit(place: Place, places: _Places, cycles: Cycles) -> Place | None:
    """Returns the place to visit; None if places that were visited cover it.

    If the node is reached at ever new offsets (a cycle), the place stands for all of them.
    """
    known = places.setdefault(place.node, [])
    if any(s.covers(place) for s in known):
        return None
    period = cycles.period(place.node) if isinstance(place.node, Node) else 0
    if period and any(s.base != place.base and (s.base - place.base) % period == 0 for s in known):
        place = place._replace(unsure=gcd(place.unsure, period))
    alike = [s for s in known if s.upward == place.upward]
    if len(alike) >= _MANY_OFFSETS:
        first = alike[0]
        step = gcd(place.unsure, *(s.base - first.base for s in alike), place.base - first.base)
        if step:
            place = place._replace(base=first.base % step, unsure=step, lo=None)
    if any(s.covers(place) for s in known):
        return None
    known.append(place)
    return place
