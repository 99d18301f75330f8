"""All that the graph knows of the bytes at a place: the node's facts, its targets', its copies', its views' copies'."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import gcd
from typing import NamedTuple

from .types_cycles import Cycles
from .types_graph import Edge, Handle, Node
from .types_hints import Hint
from .types_kinds import Tag

_MANY_STATES = 100_000
_MANY_PLACES = 6
_MANY_COPIES = 12
_UNROLL = 256


class Tier(enum.IntEnum):
    """How sure an item is, worst first."""

    HINT = 0
    FOLDED = 1  # somewhere else in the array that the place is an element of
    ELSEWHERE = 2  # at that very offset, but the place may be another element
    STRIDED = 3
    EXACT = 4


class Item(NamedTuple):
    """A fact relative to the place asked about: at `offset` + k·`stride`, before `end`."""

    offset: int
    stride: int
    end: int | None
    tag: Tag | Hint
    tier: Tier


class _State(NamedTuple):
    """Byte x of the place is byte `base` + x of the node, lo ≤ x < hi.

    `unsure`: the place may also be at base + k·unsure. `repeats`: what is found holds at x + k·repeats too.
    `upward`: only copies of the views of the node are of interest.
    """

    node: Node
    base: int
    unsure: int
    repeats: int
    lo: int | None
    hi: int | None
    upward: bool


    def covers(self, other: _State) -> bool:
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


#: states met, by node
_Places = dict[Node, list[_State]]


#: the facts of nodes met: offset, stride, where the run ends, tag
_Facts = dict[Node, list[tuple[int, int, int | None, Tag | Hint]]]


@dataclass
class Shared:
    """What is found out once for all places of a solved graph."""

    cycles: Cycles = field(default_factory=Cycles)
    facts: _Facts = field(default_factory=dict)


@dataclass
class Collected:
    """`external`: code that is not analysed may access the bytes too. `complete`: not given up on the way.

    `registers`: nodes that copies alone lead to and from, at the same offset: the same is known of them, and besides
    what they know themselves.
    """

    items: dict[Item, None]
    external: bool = False
    complete: bool = True
    registers: list[Node] = field(default_factory=list)

    def seen_from(self, register: Node) -> Collected:
        """The same with one of the registers as the place asked about."""
        items = dict(self.items)
        _emit(_State(register, 0, 0, 0, None, None, False), items, {})
        return Collected(items, self.external, self.complete)


def collect(handles: Iterable[Handle], shared: Shared) -> Collected:
    """What is known of the places, taken together."""
    found = Collected({})
    places: _Places = {}
    work = [_State(h.node.find(), h.offset, h.stride, 0, None, None, False) for h in handles]
    later: list[_State] = []  # what views lead to: from there is no way back
    count = 0
    while work or later:
        by_copies = bool(work)
        state = _settled((work or later).pop(), places, shared.cycles)
        if state is None:
            continue
        count += 1
        if count > _MANY_STATES:
            found.complete = False
            break
        if not state.upward:
            found.external = found.external or state.node.external
            _emit(state, found.items, shared.facts)
            if by_copies and state.node.is_register and state.base == 0:
                found.registers.append(state.node)
        for after, is_copy in _next_states(state):
            (work if by_copies and is_copy else later).append(after)
    return found


def _settled(state: _State, places: _Places, cycles: Cycles) -> _State | None:
    """The state, or where its node comes up at ever new offsets (a cycle), one that stands for all of them.

    None if those met cover it.
    """
    known = places.setdefault(state.node, [])
    if any(s.covers(state) for s in known):
        return None
    period = cycles.period(state.node)
    if period and any(s.base != state.base and (s.base - state.base) % period == 0 for s in known):
        state = state._replace(unsure=gcd(state.unsure, period))
    bounded = state.hi is not None
    # copies of known size mostly end by themselves, but for those from element to element of one array
    alike = [s for s in known if s.upward == state.upward and s.hi == state.hi and (not bounded or s.lo == state.lo)]
    if len(alike) >= (_MANY_COPIES if bounded else _MANY_PLACES):
        first = alike[0]
        step = gcd(state.unsure, *(s.base - first.base for s in alike), state.base - first.base)
        if step:
            lo = state.lo if bounded else None
            state = state._replace(base=first.base % step, unsure=step, lo=lo)
    if any(s.covers(state) for s in known):
        return None
    known.append(state)
    return state


def _facts_of(node: Node, facts: _Facts) -> list[tuple[int, int, int | None, Tag | Hint]]:
    found = facts.get(node)
    if found is None:
        found = facts[node] = []
        for offset, stride, end, tag in node.facts:
            if stride and isinstance(tag, Tag):
                end = end_of_run(node, offset, stride, end, tag)
            found.append((offset, stride, end, tag))
    return found


def _emit(state: _State, items: dict[Item, None], facts: _Facts) -> None:
    for offset, stride, end, tag in _facts_of(state.node, facts):
        x = offset - state.base
        if isinstance(tag, Hint):
            if state.lo is None or state.lo <= x:
                items[Item(x, gcd(stride, state.repeats), state.hi, tag, Tier.HINT)] = None
        elif stride == 0:
            if _inside(state, x, tag.size):
                tier = Tier.STRIDED if state.repeats else Tier.EXACT
                items[Item(x, state.repeats, None, tag, Tier.ELSEWHERE if state.unsure else tier)] = None
            if state.unsure:
                _emit_folded(state, x, tag, items)
        else:
            _emit_run(state, x, stride, None if end is None else end - state.base, tag, items)


def _emit_folded(state: _State, x: int, tag: Tag, items: dict[Item, None]) -> None:
    """A fact of another element: of all bytes of the one asked about, or of the part of it that is of interest."""
    if state.lo is None:
        items[Item(x % state.unsure, state.unsure, None, tag, Tier.FOLDED)] = None
        return
    within = state.lo + (x - state.lo) % state.unsure
    if state.hi is not None and _inside(state, within, tag.size):
        items[Item(within, 0, None, tag, Tier.FOLDED)] = None


def _emit_run(
    state: _State, x: int, stride: int, end: int | None, tag: Tag, items: dict[Item, None]
) -> None:
    """Elements at a stride. Inside of an element that repeats they are entered one by one."""
    step = gcd(stride, state.unsure)
    if state.unsure and state.unsure % stride:
        end = None
    if state.hi is not None:
        end = state.hi if end is None else min(end, state.hi)
    first = x if state.lo is None or x >= state.lo else state.lo + (x - state.lo) % step
    if not state.repeats or (state.repeats % step == 0 and end is None):
        items[Item(first, step, end, tag, Tier.STRIDED)] = None
    elif end is not None and (end - first) // step <= _UNROLL:
        for y in range(first, end - tag.size + 1, step):
            items[Item(y, state.repeats, None, tag, Tier.STRIDED)] = None
    else:
        items[Item(first, gcd(step, state.repeats), None, tag, Tier.STRIDED)] = None


def end_of_run(node: Node, offset: int, stride: int, end: int | None, tag: Tag) -> int | None:
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


def _inside(state: _State, x: int, size: int) -> bool:
    return (state.lo is None or state.lo <= x) and (state.hi is None or x + size <= state.hi)


def _next_states(state: _State) -> Iterable[tuple[_State, bool]]:
    """Where else to look, and whether a copy (that goes both ways) leads there."""
    for edge in state.node.edges:
        if edge.view:
            if not state.upward:
                unsure = gcd(state.unsure, edge.dst_stride)
                yield state._replace(node=edge.target.find(), base=state.base + edge.dst, unsure=unsure), False
        else:
            after = _through_copy(state, edge)
            if after is not None:
                yield after, not state.upward
    if state.node.copied:
        for view, edge in state.node.viewers:
            if view.find().copied and view.find() is not state.node:
                unsure = gcd(state.unsure, edge.dst_stride)
                yield state._replace(node=view.find(), base=state.base - edge.dst, unsure=unsure, upward=True), False


def _through_copy(state: _State, edge: Edge) -> _State | None:
    shift = state.base - edge.src
    step = gcd(state.unsure, state.repeats, edge.src_stride)
    if step and (shift < 0 or edge.src_stride or (edge.hi is not None and shift >= edge.hi)):
        shift %= step
    lo, hi = _range(state, edge, shift)
    if lo is not None and hi is not None and lo >= hi:
        return None
    return _State(
        edge.target.find(),
        edge.dst + shift,
        gcd(state.unsure if not edge.src_stride else 0, edge.dst_stride),
        gcd(state.repeats, edge.src_stride),
        lo,
        hi,
        False,
    )


def _range(state: _State, edge: Edge, shift: int) -> tuple[int | None, int | None]:
    """The bytes asked about that the copy covers."""
    lo = None if edge.lo is None else edge.lo - shift
    hi = None if edge.hi is None else edge.hi - shift
    if state.lo is not None:
        lo = state.lo if lo is None else max(lo, state.lo)
    if state.hi is not None:
        hi = state.hi if hi is None else min(hi, state.hi)
    return lo, hi
