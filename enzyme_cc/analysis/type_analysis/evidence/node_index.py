"""The facts and edges of a node, indexed by the words that they concern. A pool, or a large cycle, is one node."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from math import gcd, lcm
from operator import itemgetter

from ..declared.hints import Hint
from ..graph.condensed import Condensed, words_of_copy
from ..graph.cycles import ViewCycle
from ..graph.graph_nodes import Edge, Node
from ..graph.pools import MovingPool, Way
from ..kinds import FLOATS, TAGGED_BY_MEMORY, Kind, Tag, element_step
from .places import WIDEST, Fact, Place

_WORDS = FLOATS | {Kind.POINTER}


class NodeIndex:
    """Facts and edges of one node, of a pool, or of a large cycle, indexed by the 8-byte words that they concern."""

    def __init__(self, node: Node | MovingPool | ViewCycle, graph: Condensed) -> None:
        members = {node: 0} if isinstance(node, Node) else node.members
        self.views = [] if isinstance(node, MovingPool) else _views_out_of(members, graph)
        self.viewers: list[Way] = []
        self._viewers_at: dict[int, list[Way]] = {}
        self._other_viewers: list[Way] = []
        self.copies: list[Edge] = []
        self._copies_at: dict[int, list[Edge]] = {}
        self._other_copies: list[Edge] = []
        self.facts: list[Fact] = []
        self._facts_at: dict[int, list[Fact]] = {}
        self._other_facts: list[Fact] = []
        self.behind: list[Fact] = []
        self.facts_number = 0  # the same for all nodes with the same facts
        self._repeated: list[tuple[int, int, Tag | Hint]] | None = None
        self._folded: dict[int, list[tuple[int, int, Tag]]] = {}
        self._enter(members, graph, node if isinstance(node, MovingPool) else None)
        for fact in self.facts:
            (self._other_facts if fact[1] else self._facts_at.setdefault(fact[0] >> 3, [])).append(fact)
        for edge in self.copies:
            self._sort_copy(edge)
        for way in self.viewers:
            self._sort_viewer(way, graph)

    def _enter(self, members: dict[Node, int], graph: Condensed, pool: MovingPool | None) -> None:
        for member, at in members.items():
            ways = graph.viewers(member)
            is_one = len(members) == 1 and not pool
            self.viewers += [(view, dst - at, stride) for view, dst, stride in ways if is_one or view not in members]
            copies = graph.copies(member)
            self.copies += [e._replace(src=e.src - at) for e in copies if e.hi is not None or not pool]
            ends = _Ends(member)
            for offset, stride, end, tag in map(ends.bounded, member.facts):
                self.facts.append((offset - at, stride, None if end is None else end - at, tag))
            for run, may_go_on in map(ends.behind, member.facts):
                if run is not None and (may_go_on or graph.sharing.is_seen_with_others(member)):
                    offset, stride, end, tag = run
                    self.behind.append((offset - at, stride, None if end is None else end - at, tag))
        if len(members) > 1:
            self.viewers, self.copies = list(dict.fromkeys(self.viewers)), list(dict.fromkeys(self.copies))
            self.facts, self.behind = joined(self.facts), joined(self.behind)

    def _sort_viewer(self, way: Way, graph: Condensed) -> None:
        words = graph.words_through(way)
        if words is None:
            self._other_viewers.append(way)
        for word in words or ():
            self._viewers_at.setdefault(word, []).append(way)

    def _sort_copy(self, edge: Edge) -> None:
        words = words_of_copy(edge)
        if words is None:
            self._other_copies.append(edge)
        else:
            for word in words:
                self._copies_at.setdefault(word, []).append(edge)

    def viewers_of(self, place: Place) -> list[Way]:
        """Returns the views of the node of which bytes of the place are copied."""
        words = _inner_words(place)
        if words is None or len(words) > len(self._viewers_at):
            return self.viewers
        found = [way for word in words for way in self._viewers_at.get(word, ())] + self._other_viewers
        return list(dict.fromkeys(found))

    def repeated(self, period: int) -> list[tuple[int, int, Tag | Hint]]:
        """Returns offset, stride and tag of the facts if all repeat after a number of bytes."""
        if self._repeated is None:
            found = ((offset, gcd(stride, period), tag) for offset, stride, _, tag in self.facts)
            self._repeated = list(dict.fromkeys((at % lcm(step, WIDEST), step, tag) for at, step, tag in found))
        return self._repeated

    def folded(self, unsure: int) -> list[tuple[int, int, Tag]]:
        """Returns offset, step and tag of the exact accesses, as they may lie in any element of an array."""
        found = self._folded.get(unsure)
        if found is None:
            exact = [(offset, tag) for offset, stride, _, tag in self.facts if not stride and isinstance(tag, Tag)]
            steps = ((offset, element_step(unsure, tag), tag) for offset, tag in exact)
            folded = dict.fromkeys((offset % step, step, tag) for offset, step, tag in steps)
            found = self._folded[unsure] = list(folded)
        return found

    @cached_property
    def _facts_of_whole(self) -> list[Fact]:
        """All facts. Of what is declared at a stride only the phase counts, and the smallest stride."""
        phases: dict[Tag | Hint, list[tuple[int, int]]] = {}
        for offset, stride, _, tag in sorted(self._other_facts, key=itemgetter(1)):
            known = phases.setdefault(tag, []) if isinstance(tag, Hint) else []
            if isinstance(tag, Hint) and not any((offset - at) % step == stride % step == 0 for at, step in known):
                known.append((offset % stride, stride))
        others = [fact for fact in self.facts if not (fact[1] and isinstance(fact[3], Hint))]
        return [*((at, step, None, hint) for hint, found in phases.items() for at, step in found), *others]

    def facts_of(self, place: Place) -> list[Fact]:
        if place.lo is None and place.hi is None:
            return self._facts_of_whole
        words = _words(place._replace(unsure=0))
        if words is None or len(words) > len(self._facts_at):
            return self.facts
        return [f for word in words for f in self._facts_at.get(word, ())] + self._other_facts

    def copies_of(self, place: Place) -> list[Edge]:
        words = _inner_words(place)
        if words is None or len(words) > len(self._copies_at):
            return self.copies
        found = [e for word in words for e in self._copies_at.get(word, ())]
        return (list(dict.fromkeys(found)) if len(words) > 1 else found) + self._other_copies


def _views_out_of(members: dict[Node, int], graph: Condensed) -> list[Way]:
    """Returns the ways to what the nodes view; if there are several, except to each other."""
    ways = ((way, at) for member, at in members.items() for way in graph.views(member))
    found = ((to, dst + at, stride) for (to, dst, stride), at in ways if len(members) == 1 or to not in members)
    return list(dict.fromkeys(found))


def joined(facts: Iterable[Fact]) -> list[Fact]:
    """Returns the facts, each once. Runs of which one goes on where another one ends are one run.

    A pool of blocks has hundreds of runs that differ only in where they begin.
    """
    single: dict[Fact, None] = {}
    runs: dict[tuple[int, int, Tag], list[Fact]] = {}
    for fact in facts:
        offset, stride, _, tag = fact
        if isinstance(tag, Tag) and stride >= tag.size:
            runs.setdefault((offset % lcm(stride, WIDEST), stride, tag), []).append(fact)
        else:
            single[fact] = None
    return [*single, *chain.from_iterable(map(_of_one_phase, runs.values()))]


def _of_one_phase(runs: list[Fact]) -> Iterator[Fact]:
    first, *others = sorted(runs, key=_offset)
    offset, stride, end, tag = first
    for begin, _, other_end, _ in others:
        if end is not None and begin > end:
            yield offset, stride, end, tag
            offset, end = begin, other_end
        elif end is not None:
            end = None if other_end is None else max(end, other_end)
    yield offset, stride, end, tag


def _words(place: Place) -> range | None:
    """Returns the words of the node that the place covers; None if these are not a few known ones."""
    if place.lo is None or place.hi is None or place.unsure or place.repeats:
        return None
    return range((place.base + place.lo) >> 3, (place.base + place.hi + 7) >> 3)


def _inner_words(place: Place) -> range | None:
    """Returns the same without the margin."""
    if not place.margin or place.lo is None or place.hi is None:
        return _words(place)
    lo, hi = place.inner
    return _words(place._replace(lo=lo, hi=hi))


class _Ends:
    """Where arrays end by a node's own facts: where something else begins, or the declaration ends."""

    def __init__(self, node: Node) -> None:
        exact = [(at, tag) for at, step, _, tag in node.facts if step == 0 and isinstance(tag, Tag)]
        self._exact = sorted({(at, tag.kind) for at, tag in exact if not tag.weak}, key=_offset)
        hints = ((at, tag) for at, step, _, tag in node.facts if step == 0 and isinstance(tag, Hint))
        regions = {(at + region[0], *region[1:]) for at, hint in hints if not hint.period for region in hint.regions}
        self._regions = sorted(((start + length, start, kind) for start, length, kind in regions), key=_offset)
        self._ends: dict[tuple[int, Tag], int | None] = {}

    def bounded(self, fact: Fact) -> Fact:
        offset, stride, end, tag = fact
        if not stride or not isinstance(tag, Tag):
            return fact
        end = _least(end, self._end_of_region(offset, tag))
        return offset, stride, _least(end, self._other_begins(offset, stride, tag.kind)), tag

    def _end_of_region(self, offset: int, tag: Tag) -> int | None:
        """Returns where the first declared region of the array's kind ends that holds an element and more."""
        if (offset, tag) not in self._ends:
            self._ends[offset, tag] = self._found_end(offset, tag)
        return self._ends[offset, tag]

    def _found_end(self, offset: int, tag: Tag) -> int | None:
        begin = bisect_left(self._regions, offset + tag.size, key=_offset)
        later = (self._regions[k] for k in range(begin, len(self._regions)))
        fitting = ((end, start) for end, start, kind in later if kind is tag.kind or kind not in _WORDS)
        return next((end for end, start in fitting if start <= offset and end - start > tag.size), None)

    def _other_begins(self, offset: int, stride: int, kind: Kind) -> int | None:
        """Returns the offset of the first element of the array that is accessed as another kind."""
        return next((at for at, other in self._accessed_behind(offset, stride) if other is not kind), None)

    def _accessed_behind(self, offset: int, stride: int) -> Iterator[tuple[int, Kind]]:
        """Yields offset and kind of the exact accesses to elements of the array behind the first one."""
        start = bisect_right(self._exact, offset, key=_offset)
        later = (self._exact[k] for k in range(start, len(self._exact)))
        return ((at, kind) for at, kind in later if (at - offset) % stride == 0)

    def behind(self, fact: Fact) -> tuple[Fact | None, bool]:
        """Returns the elements that an array has behind what seems to end it, and whether the array itself may go on.

        There are none (None) unless the program accesses another number or a pointer there. Where the array is declared
        to end, or where the run cannot tell the kinds apart, it may go on only if the access may be to another object.
        """
        offset, stride, end, tag = fact
        _, _, cut, _ = self.bounded(fact)
        if cut is None or cut == end or not isinstance(tag, Tag) or tag.kind not in _WORDS:
            return None, False
        others = {kind for _, kind in self._accessed_behind(offset, stride)} & (_WORDS - {tag.kind})
        if not others:
            return None, False
        region = self._end_of_region(offset, tag)
        is_declared = region is not None and region <= cut
        may_go_on = not is_declared and others | {tag.kind} <= TAGGED_BY_MEMORY
        return (cut + (offset - cut) % stride, stride, end, tag), may_go_on


def _offset(fact: tuple[int, *tuple[object, ...]]) -> int:
    return fact[0]


def _least(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)
