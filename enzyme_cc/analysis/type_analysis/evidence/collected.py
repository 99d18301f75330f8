"""Collects all evidence about the bytes at a place: of the node, its targets, its copies, and its views' copies.

Views and copies of unknown size are walked for each query, once for each node and offset. What lies behind copies of
known size is looked up (fields.py). Queries about whole objects walk through the same places: where a place leads, and
what the fields there hold, is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from math import gcd

from ..graph.cycles import Cycles, ViewCycle
from ..graph.graph_nodes import Handle, Node
from ..graph.pools import MovingPool
from ..kinds import Kind
from .collected_evidence import Collected, Portion, RecentPortions
from .fields import FieldLink, Fields, TooManyFields, link_to
from .node_index import NodeIndex
from .places import AROUND, WORD, Evidence, Place
from .same_bytes import along_copies, along_views

_MANY_PLACES = 100_000
_MANY_OFFSETS = 6

#: how a query sees a field: shift, repeats (see FieldLink)
_View = tuple[int, int]
_HERE = (0, 0)
#: places that were visited, by node
_Places = dict[Node | MovingPool | ViewCycle, list[Place]]


class _Bounded:
    """Fields that a place without bounds leads to, and the evidence about them, which is found once."""

    __slots__ = ("_facts", "_links")

    def __init__(self, links: list[FieldLink]) -> None:
        self._links = links
        self._facts: tuple[dict[_View, int], bool] | None = None

    def facts(self, fields: Fields) -> tuple[dict[_View, int], bool]:
        """Returns a set for each way in which a query sees the fields, and whether code outside may access them.

        Raises TooManyFields.
        """
        if self._facts is None:
            sets: dict[_View, int] = {}
            external = False
            for to, shift, repeats in dict.fromkeys(self._links):
                facts = fields.facts(to)
                external = external or facts.external
                sets[shift, repeats] = sets.get((shift, repeats), 0) | facts.bits
            self._facts, self._links = (sets, external), []
        return self._facts


class _Found:
    """What a search has found: a set of evidence for each way in which the query sees fields."""

    __slots__ = ("external", "sets")

    def __init__(self) -> None:
        self.sets: dict[_View, int] = {}
        self.external = False

    def add(self, further: dict[_View, int], external: bool) -> None:
        self.external = self.external or external
        for view, bits in further.items():
            if bits:
                self.sets[view] = self.sets.get(view, 0) | bits

    def seen_from(self, base: int) -> _Found:
        """Returns the same as it is seen from a byte further on."""
        moved = _Found()
        moved.sets = {(shift - base, repeats): bits for (shift, repeats), bits in self.sets.items()}
        moved.external = self.external
        return moved


#: what the sure and the unsure ways from a place lead to
_Ways = tuple[list[Place | _Bounded], list[Place | _Bounded]]


class Collector:
    """Answers queries about one solved graph. Those with the same answer get the same object: it has one layout."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._ways: dict[Place, _Ways] = {}
        self._objects: dict[Node | MovingPool | ViewCycle, tuple[_Found, bool]] = {}
        self._answers: dict[tuple[frozenset[tuple[_View, int]], bool, bool], Collected] = {}
        self._recent = RecentPortions()

    def collect(self, handles: Iterable[Handle], size: int | None = None) -> Collected:
        """Returns the evidence about all places together: at any offset, or about the first `size` bytes.

        Queries about few bytes look at the whole words that these lie in, so that they share their fields.
        """
        starts = self._starts(handles, size)
        first = starts[0] if len(starts) == 1 else None
        if first is not None and size is None and not first.unsure and first.base >= 0:
            return self._answer(*self._seen_from(first))
        return self._answer(*self._search(starts))

    def _seen_from(self, place: Place) -> tuple[_Found, bool]:
        """Returns what a search for all that is known of an object finds.

        The search is made once, from the object's first byte. It tells of arrays from there on: places before that byte
        are searched for apart.
        """
        known = self._objects.get(place.node)
        if known is None:
            known = self._objects[place.node] = self._search([place._replace(base=0)])
        found, complete = known
        return found.seen_from(place.base), complete

    def _search(self, starts: list[Place]) -> tuple[_Found, bool]:
        """Returns what lies at the places, and whether that is all."""
        found = _Found()
        try:
            for bounded in self._walk(starts, found):
                found.add(*bounded.facts(self._fields))
        except TooManyFields:
            return found, False
        return found, True

    def collect_here(self, handles: Iterable[Handle], size: int | None = None) -> Collected:
        """Returns a part of the evidence about the places: what the nodes there say, without any copies."""
        fields, found = self._fields, _Found()
        for start in self._starts(handles, size):
            to, shift, repeats = FieldLink(start, 0, 0) if size is None else link_to(start)
            here = fields.entering(to)
            for place in filter(None, (here, fields.around(here))):
                found.add({(shift, repeats): fields.own_set(place)}, place.node.external)
        return self._answer(found, True)

    def _starts(self, handles: Iterable[Handle], size: int | None) -> list[Place]:
        places = [(*self._fields.graph.place(h.node.find()), h) for h in handles]
        return [_start(root, at + h.offset, h.stride, size) for root, at, h in places]

    def _answer(self, found: _Found, complete: bool) -> Collected:
        fields, sets = self._fields, found.sets
        key = frozenset(sets.items()), found.external, complete
        answer = self._answers.get(key)
        if answer is None:

            def find(portion: Portion) -> Iterable[Evidence]:
                return chain.from_iterable(fields.sets.pieces(bits, *view, portion) for view, bits in sets.items())

            def kinds() -> frozenset[Kind]:
                return frozenset[Kind]().union(*map(fields.sets.kinds, sets.values()))

            def near(size: int) -> Iterable[Evidence]:
                return chain.from_iterable(fields.sets.near(bits, *view, size) for view, bits in sets.items())

            in_each_word = frozenset[Kind]().union(*map(fields.sets.in_each_word, sets.values()))
            answer = Collected(find, found.external, complete, in_each_word, kinds, near, self._recent)
            self._answers[key] = answer
        return answer

    def _walk(self, starts: list[Place], found: _Found) -> dict[_Bounded, None]:
        """Adds the evidence of all places without bounds. Returns the fields that these lead to."""
        fields, places = self._fields, _Places()
        work = [way for place in starts for way in chain(*_ways([place], fields))]
        later: list[Place | _Bounded] = []  # unsure places come last, so that they do not hide sure ones
        fields_there: dict[_Bounded, None] = {}
        count = 0
        while work or later:
            place = (work or later).pop()
            if isinstance(place, _Bounded):
                fields_there[place] = None
                continue
            admitted = _admit(place, places, fields.cycles)
            if admitted is None:
                continue
            count += 1
            if count > _MANY_PLACES:
                raise TooManyFields
            if not admitted.upward:
                found.add({_HERE: fields.own_set(admitted)}, admitted.node.external)
            sure, unsure = self._ways_from(admitted)
            work += sure
            later += unsure
        return fields_there

    def _ways_from(self, place: Place) -> _Ways:
        ways = self._ways.get(place)
        if ways is None:
            fields = self._fields
            ways = self._ways[place] = _ways(list(_next(place, fields.index(place.node), fields)), fields)
        return ways


def _start(node: Node, base: int, unsure: int, size: int | None) -> Place:
    """Returns the place that a query begins at."""
    if size is None:
        return Place(node, base, unsure, 0, None, None, False)
    before = base % WORD
    words = -(-(before + max(size, 1)) // WORD)
    return Place(node, base, unsure, 0, -AROUND - before, words * WORD - before + AROUND, False, margin=AROUND)


def _ways(places: Iterable[Place], fields: Fields) -> _Ways:
    """Returns where a query walks on. Successive places with bounds are taken together, the last one first."""
    ways: _Ways = ([], [])
    for is_unsure in (False, True):
        alike = [place for place in places if bool(place.unsure) is is_unsure]
        for has_bounds, group in groupby(alike, lambda place: place.hi is not None):
            if has_bounds:
                links = [link_to(place) for place in reversed(list(group))]
                ways[is_unsure].append(_Bounded([link._replace(to=fields.entering(link.to)) for link in links]))
            else:
                ways[is_unsure].extend(group)
    return ways


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
