"""Places of type analysis: bytes of a node in the graph that a query asks about, and the evidence that is there.

A place has other places with the same bytes, which the edges of the graph lead to.
"""

from __future__ import annotations

import enum
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from math import gcd, lcm
from operator import itemgetter
from typing import NamedTuple

from ..declared.hints import Hint
from ..graph.condensed import Condensed, words_of_copy
from ..graph.graph_nodes import Edge, Node
from ..graph.pools import MovingPool, Way
from ..kinds import FLOATS, TOLD_BY_MEMORY, Kind, Tag, natural_alignment

_UNROLL = 256
_WORDS = FLOATS | {Kind.POINTER}
#: the largest natural alignment
WIDEST = 16
#: fields of at most so many bytes have evidence by elements
NARROW = 296


class Tier(enum.IntEnum):
    """How sure a piece of evidence is, least first."""

    CUT = 0  # of an array, behind what seems to end it
    HINT = 1
    FOLDED = 2  # from another element of the array that the place lies in
    ELSEWHERE = 3  # at the same offset, but the place may be another element
    BEHIND = 4  # of an array, where something else is accessed in what may be another object
    STRIDED = 5
    EXACT = 6

    __hash__ = object.__hash__  # there is one of each


class Evidence(NamedTuple):
    """A fact, seen from the place of the query: `tag` holds at `offset` + k·`stride`, before `end`."""

    offset: int
    stride: int
    end: int | None
    tag: Tag | Hint
    tier: Tier


class Place(NamedTuple):
    """Bytes of a node: byte x of the query is byte `base` + x of the node, for lo ≤ x < hi.

    `unsure`: it may also be byte base + x + k·unsure. `repeats`: what is found holds at x + k·repeats too. `upward`:
    only copies of the node's viewers are followed, not its targets. `arrived`: the cycle of views through the node was
    followed already.
    """

    node: Node | MovingPool
    base: int
    unsure: int
    repeats: int
    lo: int | None
    hi: int | None
    upward: bool
    arrived: bool = False

    def covers(self, other: Place) -> bool:
        """Returns whether this place finds all that the other, a place of the same node, would find."""
        if (self.upward and not other.upward) or self.repeats != other.repeats:
            return False
        if self.lo is not None and (other.lo is None or other.lo < self.lo):
            return False
        if self.hi is not None and (other.hi is None or other.hi > self.hi):
            return False
        apart = other.base - self.base
        if not self.unsure:
            return apart == 0 and not other.unsure
        return bool(other.unsure) and other.unsure % self.unsure == apart % self.unsure == 0


#: offset, stride, where the run ends, tag
Fact = tuple[int, int, int | None, Tag | Hint]


class NodeIndex:
    """Facts and edges of one node, or of a pool, indexed by the 8-byte words that they concern."""

    def __init__(self, node: Node | MovingPool, graph: Condensed) -> None:
        members = node.members if isinstance(node, MovingPool) else {node: 0}
        self.views = graph.views(node) if isinstance(node, Node) else []
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
            self.viewers += [(view, dst - at, stride) for view, dst, stride in ways if view not in members or not pool]
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
            self.facts = list(dict.fromkeys(self.facts))

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
        words = _words(place)
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
        """Returns offset, step and tag of the exact accesses, as they may lie in any element of an array.

        What is moved by single bytes keeps its alignment all the same.
        """
        found = self._folded.get(unsure)
        if found is None:
            exact = [(offset, tag) for offset, stride, _, tag in self.facts if not stride and isinstance(tag, Tag)]
            steps = ((offset, lcm(unsure, natural_alignment(tag)), tag) for offset, tag in exact)
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
        words = _words(place)
        if words is None or len(words) > len(self._copies_at):
            return self.copies
        found = [e for word in words for e in self._copies_at.get(word, ())]
        return (list(dict.fromkeys(found)) if len(words) > 1 else found) + self._other_copies


def _words(place: Place) -> range | None:
    """Returns the words of the node that the place covers; None if these are not a few known ones."""
    if place.lo is None or place.hi is None or place.unsure or place.repeats:
        return None
    return range((place.base + place.lo) >> 3, (place.base + place.hi + 7) >> 3)


class _Ends:
    """Where arrays end by a node's own facts: where something else begins, or the declaration ends."""

    def __init__(self, node: Node) -> None:
        exact = [(at, tag) for at, step, _, tag in node.facts if step == 0 and isinstance(tag, Tag)]
        self._exact = sorted({(at, tag.kind) for at, tag in exact if not tag.weak}, key=_offset)
        hints = ((at, tag) for at, step, _, tag in node.facts if step == 0 and isinstance(tag, Hint))
        regions = {(at + region[0], *region[1:]) for at, hint in hints if not hint.period for region in hint.regions}
        self._regions = sorted(((start + length, start, kind) for start, length, kind in regions), key=_offset)

    def bounded(self, fact: Fact) -> Fact:
        offset, stride, end, tag = fact
        if not stride or not isinstance(tag, Tag):
            return fact
        end = _least(end, self._end_of_region(offset, tag))
        return offset, stride, _least(end, self._other_begins(offset, stride, tag.kind)), tag

    def _end_of_region(self, offset: int, tag: Tag) -> int | None:
        """Returns where the first declared region of the array's kind ends that holds an element and more."""
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
        may_go_on = not is_declared and others | {tag.kind} <= TOLD_BY_MEMORY
        return (cut + (offset - cut) % stride, stride, end, tag), may_go_on


def _offset(fact: tuple[int, *tuple[object, ...]]) -> int:
    return fact[0]


def _least(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)


# -- evidence at a place


def emit(place: Place, index: NodeIndex, items: dict[Evidence, None]) -> None:
    """Adds the facts of the place's node, seen from the query."""
    if isinstance(place.node, MovingPool):
        _emit_pool(place, place.node, index, items)
        return
    _emit_facts(place, index.facts_of(place), items)
    if place.unsure:
        for offset, step, tag in index.folded(place.unsure):
            _emit_folded(place, offset - place.base, step, tag, items)
    _emit_behind(place, index, items)


def _emit_behind(place: Place, index: NodeIndex, items: dict[Evidence, None]) -> None:
    """Adds elements of arrays that may go on, as far as they concern few bytes: longer copies look for them apart."""
    if place.lo is None or place.hi is None or place.unsure or place.repeats:
        return
    begin, behind = place.base + place.lo, place.base + place.hi
    for offset, stride, end, tag in index.behind:
        if offset >= behind or (end is not None and end <= begin):
            continue
        x = offset - place.base
        first = max(x, place.lo + (x - place.lo) % stride)
        last = place.hi if end is None else min(place.hi, end - place.base)
        for at in range(first, last - tag.size + 1, stride):
            items[Evidence(at, 0, None, tag, Tier.BEHIND)] = None


def _emit_facts(place: Place, facts: Iterable[Fact], items: dict[Evidence, None]) -> None:
    for offset, stride, end, tag in facts:
        x = offset - place.base
        if isinstance(tag, Hint):
            if tag.exceeds(place.repeats):
                continue
            if (place.lo is None or place.lo <= x) and (place.hi is None or x < place.hi):
                _emit_hint(place, x, gcd(stride, place.repeats), tag, items)
        elif stride == 0:
            if _inside(place, x, tag.size):
                tier = Tier.STRIDED if place.repeats else Tier.EXACT
                items[Evidence(x, place.repeats, None, tag, Tier.ELSEWHERE if place.unsure else tier)] = None
        else:
            _emit_run(place, x, stride, None if end is None else end - place.base, tag, items)


def _emit_pool(place: Place, pool: MovingPool, index: NodeIndex, items: dict[Evidence, None]) -> None:
    """Adds the facts of a pool: of the same bytes, as far as copies reach, or of all that may be moved there."""
    if not place.unsure:
        facts = [f for f in index.facts_of(place) if f[1] or f[0] >= pool.start]
        _emit_facts(place, facts, items)
        _emit_behind(place, index, items)
        return
    for offset, stride, tag in index.repeated(pool.period):
        step = gcd(stride, place.unsure)
        if isinstance(tag, Tag):
            _emit_folded(place, offset - place.base, step, tag, items)
        elif place.lo is None and not tag.exceeds(step):
            items[Evidence((offset - place.base) % step, step, None, tag, Tier.HINT)] = None


def _emit_folded(place: Place, x: int, step: int, tag: Tag, items: dict[Evidence, None]) -> None:
    """Adds what may lie at `x`, and `step` bytes further on, as seen from any element that the place may be."""
    step = lcm(step, natural_alignment(tag))  # what is moved by single bytes keeps its alignment all the same
    if place.lo is None or place.hi is None:
        items[Evidence((x - (place.lo or 0)) % step + (place.lo or 0), step, None, tag, Tier.FOLDED)] = None
        return
    for at in range(place.lo + (x - place.lo) % step, place.hi - tag.size + 1, step):
        items[Evidence(at, 0, None, tag, Tier.FOLDED)] = None


def _emit_hint(place: Place, x: int, stride: int, hint: Hint, items: dict[Evidence, None]) -> None:
    """Adds a declaration. Of bytes with bounds it counts what it says of these: many structs begin alike."""
    if stride and place.lo is None and place.hi is None:
        x %= stride  # only the phase counts: from all places, the same is seen
    if place.hi is not None:
        hint, stride = hint.within(place.hi - x), stride if x + stride < place.hi else 0
    if hint.regions:
        items[Evidence(x, stride, None, hint, Tier.HINT)] = None


def _emit_run(place: Place, x: int, stride: int, end: int | None, tag: Tag, items: dict[Evidence, None]) -> None:
    """Adds elements at a stride. A place that may be another element may lie behind the first one all the same."""
    step = gcd(stride, place.unsure)
    if place.unsure and x - step >= (place.lo or 0):
        _emit_folded(place, x, step, tag, items)
    if place.unsure and place.unsure % stride:
        end = None
    if place.hi is not None:
        end = place.hi if end is None else min(end, place.hi)
    first = x if place.lo is None or x >= place.lo else place.lo + (x - place.lo) % step
    if place.hi is not None and end is not None and first + step + tag.size > end:
        step, end = 0, first + tag.size if first + tag.size <= end else end
    if end is None or first + tag.size <= end:
        items.update(repeated(Evidence(first, step, end if step else None, tag, Tier.STRIDED), place.repeats))


def repeated(item: Evidence, repeats: int) -> dict[Evidence, None]:
    """Returns the evidence as it holds at x + k·repeats. The elements of a short run are returned one by one."""
    if not repeats:
        return {item: None}
    offset, step, end, tag, tier = item
    if isinstance(tag, Hint) and tag.exceeds(repeats):
        return {}
    if tier is Tier.FOLDED:
        return {item: None}
    if tier is Tier.HINT:
        return {Evidence(offset, gcd(step, repeats), end, tag, tier): None}
    if not step:
        return {Evidence(offset, repeats, None, tag, Tier.STRIDED if tier is Tier.EXACT else tier): None}
    if repeats % step == 0 and end is None:
        return {item: None}
    if end is not None and (end - offset) // step <= _UNROLL:
        places = range(offset, end - tag.size + 1, step)
        return {Evidence(y, repeats, None, tag, tier): None for y in places}
    return {Evidence(offset, gcd(step, repeats), None, tag, tier): None}


def _inside(place: Place, x: int, size: int) -> bool:
    return (place.lo is None or place.lo <= x) and (place.hi is None or x + size <= place.hi)


# -- places with the same bytes


def along_views(place: Place, index: NodeIndex) -> Iterator[Place]:
    """Yields the places in what the node views, and in what views the node."""
    _, base, unsure, repeats, lo, hi, upward, _ = place  # millions of these are made: `_replace` takes twice the time
    if not upward:
        for target, dst, stride in index.views:
            yield Place(target, base + dst, gcd(unsure, stride), repeats, lo, hi, False)
    for view, dst, stride in index.viewers_of(place):
        yield Place(view, base - dst, gcd(unsure, stride), repeats, lo, hi, True)


#: which byte of the target byte 0 of the query is, and the bounds of the query's bytes that are copied
_Shifted = tuple[int, int | None, int | None]


def along_copies(place: Place, index: NodeIndex) -> Iterator[Place]:
    """Yields the places in memory that was copied to or from here."""
    is_one_place = not (place.unsure or place.repeats)
    for edge in index.copies_of(place):
        if is_one_place and not edge.src_stride:  # most are: nothing repeats
            shift = place.base - edge.src
            lo, hi = _range(place, edge, shift)
            if lo is None or hi is None or lo < hi:
                yield Place(edge.target, edge.dst + shift, edge.dst_stride, 0, lo, hi, False)
            continue
        step = _step(place, edge)
        unsure = gcd(0 if edge.src_stride else place.unsure, edge.dst_stride)
        repeats = step if edge.src_stride else place.repeats
        found = [(shift, *_range(place, edge, shift)) for shift in _shifts(place, edge, step)]
        found = [(shift, lo, hi) for shift, lo, hi in found if lo is None or hi is None or lo < hi]
        if len(found) > 1 and unsure and step % unsure == 0:
            found = _widest(found)
        for shift, lo, hi in found:
            stands_for_all = _is_narrow(place) and lo == _lo(edge, shift) and hi == _hi(edge, shift)
            again = step if stands_for_all else repeats
            yield Place(edge.target, edge.dst + shift, unsure, again, lo, hi, False)


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
    """
    shift = place.base - edge.src
    if not step:
        return (shift,)
    is_sure = edge.up and not place.unsure and not place.repeats
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
