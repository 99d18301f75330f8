"""Where to look for what is known of some bytes: places in the nodes of the graph, and the ways from place to place."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from math import gcd
from typing import NamedTuple

from ..declared.hints import Hint
from ..graph.graph_nodes import Edge, Node
from ..kinds import Tag

_UNROLL = 256


class Tier(enum.IntEnum):
    """How sure an item is, worst first."""

    HINT = 0
    FOLDED = 1  # somewhere else in the array that the place is an element of
    ELSEWHERE = 2  # at that very offset, but the place may be another element
    STRIDED = 3
    EXACT = 4

    __hash__ = object.__hash__  # there is one of each


class Item(NamedTuple):
    """A fact relative to the place asked about: at `offset` + k·`stride`, before `end`."""

    offset: int
    stride: int
    end: int | None
    tag: Tag | Hint
    tier: Tier


class State(NamedTuple):
    """Byte x of the place is byte `base` + x of the node, lo ≤ x < hi.

    `unsure`: the place may also be at base + k·unsure. `repeats`: what is found holds at x + k·repeats too.
    `upward`: only copies of the views of the node are of interest. `arrived`: the views that lead round in a circle
    to the node were followed already.
    """

    node: Node
    base: int
    unsure: int
    repeats: int
    lo: int | None
    hi: int | None
    upward: bool
    arrived: bool = False

    def covers(self, other: State) -> bool:
        """Whether nothing is found by way of the other, a state of the same node, that is not found by way of this."""
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


class Surroundings:
    """What a node of a solved graph knows, and its ways to others, sorted by the 8-byte words that they concern."""

    def __init__(self, node: Node) -> None:
        self.views = _once((e.target.find(), e.dst, e.dst_stride) for e in node.edges if e.view)
        self.viewers: list[tuple[Node, int, int]] = []
        if node.copied:
            found = _once((view.find(), edge.dst, edge.dst_stride) for view, edge in node.viewers)
            self.viewers = [way for way in found if way[0].copied and way[0] is not node]
        self.copies = list(dict.fromkeys(e._replace(target=e.target.find()) for e in node.edges if not e.view))
        self.facts = [_bounded(node, fact) for fact in node.facts]
        self._facts_at: dict[int, list[Fact]] = {}
        self._other_facts: list[Fact] = []
        for fact in self.facts:
            is_exact = fact[1] == 0 and isinstance(fact[3], Tag)
            (self._facts_at.setdefault(fact[0] >> 3, []) if is_exact else self._other_facts).append(fact)
        self._copies_at: dict[int, list[Edge]] = {}
        self._other_copies: list[Edge] = []
        for edge in self.copies:
            self._sort_copy(edge)

    def _sort_copy(self, edge: Edge) -> None:
        if edge.src_stride or edge.lo is None or edge.hi is None or edge.hi - edge.lo > _UNROLL:
            self._other_copies.append(edge)
        else:
            for word in range((edge.src + edge.lo) >> 3, (edge.src + edge.hi + 7) >> 3):
                self._copies_at.setdefault(word, []).append(edge)

    def facts_of(self, state: State) -> list[Fact]:
        words = _words(state)
        if words is None or len(words) > len(self._facts_at):
            return self.facts
        return [f for word in words for f in self._facts_at.get(word, ())] + self._other_facts

    def copies_of(self, state: State) -> list[Edge]:
        words = _words(state)
        if words is None or len(words) > len(self._copies_at):
            return self.copies
        found = [e for word in words for e in self._copies_at.get(word, ())]
        return (list(dict.fromkeys(found)) if len(words) > 1 else found) + self._other_copies


def _once(ways: Iterator[tuple[Node, int, int]]) -> list[tuple[Node, int, int]]:
    return list(dict.fromkeys(ways))


def _words(state: State) -> range | None:
    """The words of the node that the state is about, if it is about few."""
    if state.lo is None or state.hi is None or state.unsure or state.repeats:
        return None
    return range((state.base + state.lo) >> 3, (state.base + state.hi + 7) >> 3)


def _bounded(node: Node, fact: Fact) -> Fact:
    offset, stride, end, tag = fact
    if stride and isinstance(tag, Tag):
        return offset, stride, _end_of_run(node, offset, stride, end, tag), tag
    return fact


def _end_of_run(node: Node, offset: int, stride: int, end: int | None, tag: Tag) -> int | None:
    """Where an array ends, as far as the node's own facts tell: where something else begins, or is declared."""
    for at, step, _, other in node.facts:
        if isinstance(other, Hint):
            if step == 0:
                end = _least(end, _end_of_region(other, offset - at, tag.size, at))
        elif step == 0 and at > offset and (at - offset) % stride == 0 and not other.weak:
            end = end if other.kind is tag.kind else _least(end, at)
    return end


def _end_of_region(hint: Hint, offset: int, size: int, at: int) -> int | None:
    if hint.period or offset < 0:
        return None
    for start, length, _ in hint.regions:
        if start <= offset and offset + size <= start + length and length > size:
            return at + start + length
    return None


def _least(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)


# -- what is known at a place


def emit(state: State, around: Surroundings, items: dict[Item, None]) -> None:
    """Facts of the state's node, as they look from the place."""
    for offset, stride, end, tag in around.facts_of(state):
        x = offset - state.base
        if isinstance(tag, Hint):
            if tag.exceeds(state.repeats):
                continue
            if (state.lo is None or state.lo <= x) and (state.hi is None or x < state.hi):
                items[Item(x, gcd(stride, state.repeats), state.hi, tag, Tier.HINT)] = None
        elif stride == 0:
            if _inside(state, x, tag.size):
                tier = Tier.STRIDED if state.repeats else Tier.EXACT
                items[Item(x, state.repeats, None, tag, Tier.ELSEWHERE if state.unsure else tier)] = None
            if state.unsure:
                _emit_folded(state, x, tag, items)
        else:
            _emit_run(state, x, stride, None if end is None else end - state.base, tag, items)


def _emit_folded(state: State, x: int, tag: Tag, items: dict[Item, None]) -> None:
    """A fact of another element: of all bytes of the one asked about, or of the part of it that is of interest."""
    if state.lo is None:
        items[Item(x % state.unsure, state.unsure, None, tag, Tier.FOLDED)] = None
        return
    within = state.lo + (x - state.lo) % state.unsure
    if state.hi is not None and _inside(state, within, tag.size):
        items[Item(within, 0, None, tag, Tier.FOLDED)] = None


def _emit_run(state: State, x: int, stride: int, end: int | None, tag: Tag, items: dict[Item, None]) -> None:
    """Elements at a stride. Inside of an element that repeats they are entered one by one."""
    step = gcd(stride, state.unsure)
    if state.unsure and state.unsure % stride:
        end = None
    if state.hi is not None:
        end = state.hi if end is None else min(end, state.hi)
    first = x if state.lo is None or x >= state.lo else state.lo + (x - state.lo) % step
    if end is None or first + tag.size <= end:
        items.update(repeated(Item(first, step, end, tag, Tier.STRIDED), state.repeats))


def repeated(item: Item, repeats: int) -> dict[Item, None]:
    """The item as it looks where the place repeats; elements of a run are entered one by one."""
    if not repeats:
        return {item: None}
    offset, step, end, tag, tier = item
    if isinstance(tag, Hint) and tag.exceeds(repeats):
        return {}
    if tier in (Tier.HINT, Tier.FOLDED):
        return {item._replace(stride=gcd(step, repeats)) if tier is Tier.HINT else item: None}
    if not step:
        return {Item(offset, repeats, None, tag, Tier.STRIDED if tier is Tier.EXACT else tier): None}
    if repeats % step == 0 and end is None:
        return {item: None}
    if end is not None and (end - offset) // step <= _UNROLL:
        places = range(offset, end - tag.size + 1, step)
        return {Item(y, repeats, None, tag, tier): None for y in places}
    return {Item(offset, gcd(step, repeats), None, tag, tier): None}


def _inside(state: State, x: int, size: int) -> bool:
    return (state.lo is None or state.lo <= x) and (state.hi is None or x + size <= state.hi)


# -- ways


def along_views(state: State, around: Surroundings) -> Iterator[State]:
    """To what the node views, and to what views the node."""
    if not state.upward:
        for target, dst, stride in around.views:
            yield state._replace(node=target, base=state.base + dst, unsure=gcd(state.unsure, stride), arrived=False)
    for view, dst, stride in around.viewers:
        unsure = gcd(state.unsure, stride)
        yield state._replace(node=view, base=state.base - dst, unsure=unsure, upward=True, arrived=False)


def along_copies(state: State, around: Surroundings) -> Iterator[State]:
    """To other memory that holds the same data."""
    for edge in around.copies_of(state):
        after = _through_copy(state, edge)
        if after is not None:
            yield after


def _through_copy(state: State, edge: Edge) -> State | None:
    shift = state.base - edge.src
    step = gcd(state.unsure, state.repeats, edge.src_stride)
    if step == edge.src_stride and state.hi is not None and not state.unsure and edge.is_before(shift + state.hi):
        return None
    if step and (shift < 0 or edge.src_stride or (edge.hi is not None and shift >= edge.hi)):
        shift %= step
    lo, hi = _range(state, edge, shift)
    if lo is not None and hi is not None and lo >= hi:
        return None
    return State(
        edge.target,
        edge.dst + shift,
        gcd(state.unsure if not edge.src_stride else 0, edge.dst_stride),
        gcd(state.repeats, edge.src_stride),
        lo,
        hi,
        False,
    )


def _range(state: State, edge: Edge, shift: int) -> tuple[int | None, int | None]:
    """The bytes asked about that the copy covers."""
    lo = None if edge.lo is None else edge.lo - shift
    hi = None if edge.hi is None else edge.hi - shift
    if state.lo is not None:
        lo = state.lo if lo is None else max(lo, state.lo)
    if state.hi is not None:
        hi = state.hi if hi is None else min(hi, state.hi)
    return lo, hi
