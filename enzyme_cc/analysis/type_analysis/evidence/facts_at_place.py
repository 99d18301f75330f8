"""The evidence that a place's own node gives."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from ..declared.hints import ELEMENT_SIZES, Hint
from ..graph.pools import MovingPool
from ..kinds import Kind, Tag, element_step
from .fact_index import FactIndex
from .places import Evidence, Fact, Place, Tier, make_evidence

_UNROLL = 256


def emit(place: Place, known: FactIndex, items: dict[Evidence, None]) -> None:
    """Adds the facts of the place's node, seen from the query."""
    if isinstance(place.node, MovingPool):
        _emit_pool(place, place.node, known, items)
        return
    _emit_facts(place, known.facts_of(place), items)
    if place.unsure:
        for offset, step, tag in known.folded(place.unsure):
            _emit_folded(place, offset - place.base, step, tag, items)
    _emit_behind(place, known, items)


def _emit_behind(place: Place, known: FactIndex, items: dict[Evidence, None]) -> None:
    """Adds elements of arrays that may go on, as far as they concern few bytes: longer copies look for them apart."""
    if place.lo is None or place.hi is None or place.unsure or place.repeats:
        return
    begin, behind = place.base + place.lo, place.base + place.hi
    for offset, stride, end, tag in known.behind:
        if offset >= behind or (end is not None and end <= begin):
            continue
        x = offset - place.base
        first = max(x, place.lo + (x - place.lo) % stride)
        last = place.hi if end is None else min(place.hi, end - place.base)
        for at in range(first, last - tag.size + 1, stride):
            items[Evidence(at, 0, None, tag, Tier.BEHIND)] = None


def _emit_facts(place: Place, facts: Iterable[Fact], items: dict[Evidence, None]) -> None:
    _, base, unsure, repeats, lo, hi, _, _, _ = place
    tier = Tier.ELSEWHERE if unsure else Tier.STRIDED if repeats else Tier.EXACT
    for offset, stride, end, tag in facts:
        x = offset - base
        if isinstance(tag, Hint):
            if tag.exceeds(repeats):
                continue
            if (lo is None or lo <= x) and (hi is None or x < hi):
                _emit_hint(place, x, gcd(stride, repeats), tag, items)
        elif stride == 0:
            if (lo is None or lo <= x) and (hi is None or x + tag.size <= hi):
                items[make_evidence((x, repeats, None, tag, tier))] = None
        else:
            _emit_run(place, x, stride, None if end is None else end - base, tag, items)


def _emit_pool(place: Place, pool: MovingPool, known: FactIndex, items: dict[Evidence, None]) -> None:
    """Adds the facts of a pool: of the same bytes, as far as copies reach, or of all that may be moved there."""
    if not place.unsure:
        facts = [f for f in known.facts_of(place) if f[1] or f[0] >= pool.start]
        _emit_facts(place, facts, items)
        _emit_behind(place, known, items)
        return
    for offset, stride, tag in known.repeated(pool.period):
        step = gcd(stride, place.unsure)
        if isinstance(tag, Tag):
            _emit_folded(place, offset - place.base, step, tag, items)
        elif place.lo is None and not tag.exceeds(step):
            items[Evidence((offset - place.base) % step, step, None, tag, Tier.HINT)] = None


def emit_anywhere(place: Place, kinds: frozenset[Kind], items: dict[Evidence, None]) -> None:
    """Adds that numbers or pointers of these kinds may lie at any place, at their natural alignment."""
    for kind in sorted(kinds & ELEMENT_SIZES.keys(), key=lambda kind: kind.value):
        _emit_folded(place, -place.base, 1, Tag(kind, ELEMENT_SIZES[kind]), items)


def _emit_folded(place: Place, x: int, step: int, tag: Tag, items: dict[Evidence, None]) -> None:
    """Adds what may lie at `x`, and `step` bytes further on, as seen from any element that the place may be."""
    step = element_step(step, tag)
    if place.lo is None or place.hi is None:
        at = (x - (place.lo or 0)) % step + (place.lo or 0)
        items[make_evidence((at, step, None, tag, Tier.FOLDED))] = None
        return
    for at in range(place.lo + (x - place.lo) % step, place.hi - tag.size + 1, step):
        items[make_evidence((at, 0, None, tag, Tier.FOLDED))] = None


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
        item = make_evidence((first, step, end if step else None, tag, Tier.STRIDED))
        if place.repeats:
            items.update(repeated(item, place.repeats))
        else:
            items[item] = None


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
