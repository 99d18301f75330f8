"""All that the graph knows of the bytes at a place: the node's facts, its targets', its copies', its views' copies'.

Views and copies of unknown size are walked for each place anew, once for each node and offset that they lead to; what
is behind copies of known size is looked up (types_fields).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd

from ..graph.cycles import Cycles
from ..graph.graph_nodes import Handle, Node
from .fields import Fields, TooManyFields, Way, moved, way_to
from .places import Item, State, along_copies, along_views, emit, repeated

_MANY_STATES = 100_000
_MANY_PLACES = 6
#: bytes around those asked about that what touches these may begin or end in
_AROUND = 16

#: states met, by node
_Places = dict[Node, list[State]]


@dataclass
class Collected:
    """`external`: code that is not analysed may access the bytes too. `complete`: not given up on the way."""

    items: dict[Item, None]
    external: bool = False
    complete: bool = True


def collect(handles: Iterable[Handle], fields: Fields, size: int | None = None) -> Collected:
    """What is known of the places, taken together: at any offset, or of the first `size` bytes."""
    found = Collected({})
    lo, hi = (None, None) if size is None else (-_AROUND, size + _AROUND)
    try:
        _walk([State(h.node.find(), h.offset, h.stride, 0, lo, hi, False) for h in handles], fields, found)
    except TooManyFields:
        found.complete = False
    return found


def _walk(work: list[State], fields: Fields, found: Collected) -> None:
    places: _Places = {}
    later: list[State] = []  # states that may be elsewhere, so that they do not hide those that are sure
    ways: dict[Way, None] = {}
    count = 0
    while work or later:
        state = (work or later).pop()
        if state.hi is not None:
            ways[way_to(state)] = None
            continue
        settled = _settled(state, places, fields.cycles)
        if settled is None:
            continue
        count += 1
        if count > _MANY_STATES:
            raise TooManyFields
        around = fields.around(settled.node)
        if not settled.upward:
            found.external = found.external or settled.node.external
            emit(settled, around, found.items)
        for after in (*along_views(settled, around), *along_copies(settled, around)):
            (later if after.unsure else work).append(after)
    _look_up(ways, fields, found)


def _look_up(ways: Iterable[Way], fields: Fields, found: Collected) -> None:
    alike: dict[tuple[int, int, int], None] = {}
    for way in ways:
        known = fields.known(way.to)
        key = id(known), way.shift, way.repeats
        if key in alike:
            continue
        alike[key] = None
        found.external = found.external or known.external
        for item in known.items:
            found.items.update(repeated(moved(item, way.shift), way.repeats))


def _settled(state: State, places: _Places, cycles: Cycles) -> State | None:
    """The state, or where its node comes up at ever new offsets (a cycle), one that stands for all of them.

    None if those met cover it.
    """
    known = places.setdefault(state.node, [])
    if any(s.covers(state) for s in known):
        return None
    period = cycles.period(state.node)
    if period and any(s.base != state.base and (s.base - state.base) % period == 0 for s in known):
        state = state._replace(unsure=gcd(state.unsure, period))
    alike = [s for s in known if s.upward == state.upward]
    if len(alike) >= _MANY_PLACES:
        first = alike[0]
        step = gcd(state.unsure, *(s.base - first.base for s in alike), state.base - first.base)
        if step:
            state = state._replace(base=first.base % step, unsure=step, lo=None)
    if any(s.covers(state) for s in known):
        return None
    known.append(state)
    return state
