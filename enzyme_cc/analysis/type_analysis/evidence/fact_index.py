"""The facts of a node by words, with the ends of arrays: made once for all nodes with the same facts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from math import gcd, lcm
from operator import itemgetter

from ..declared.hints import Hint
from ..graph.condensed import Condensed
from ..graph.graph_nodes import Node
from ..kinds import FLOATS, TAGGED_BY_MEMORY, Kind, Tag, element_step
from .places import WIDEST, Fact, Place

_WORDS = FLOATS | {Kind.POINTER}


class FactIndex:
    """Facts of one node, of a pool, or of a large cycle.

    `behind`: elements of arrays that may go on behind what seems to end them. `number`: the same for equal facts.
    """

    def __init__(self, facts: list[Fact], behind: list[Fact], number: int) -> None:
        self.facts, self.behind, self.number = facts, behind, number
        self._facts_at: dict[int, list[Fact]] = {}
        self._other_facts: list[Fact] = []
        self._repeated: dict[int, list[tuple[int, int, Tag | Hint]]] = {}
        self._folded: dict[int, list[tuple[int, int, Tag]]] = {}
        for fact in facts:
            (self._other_facts if fact[1] else self._facts_at.setdefault(fact[0] >> 3, [])).append(fact)

    def repeated(self, period: int) -> list[tuple[int, int, Tag | Hint]]:
        """Returns offset, stride and tag of the facts if all repeat after a number of bytes."""
        known = self._repeated.get(period)
        if known is None:
            found = ((offset, gcd(stride, period), tag) for offset, stride, _, tag in self.facts)
            known = list(dict.fromkeys((at % lcm(step, WIDEST), step, tag) for at, step, tag in found))
            self._repeated[period] = known
        return known

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
        """Returns the facts that may concern bytes of the place."""
        if place.lo is None and place.hi is None:
            return self._facts_of_whole
        words = None if place.lo is None or place.hi is None or place.repeats else place.words_without(0)
        if words is None or len(words) > len(self._facts_at):
            return self.facts
        return [f for word in words for f in self._facts_at.get(word, ())] + self._other_facts


class FactIndices:
    """The indices of one graph: each is made once."""

    def __init__(self) -> None:
        self._ended: dict[tuple[Fact, ...], tuple[list[Fact], list[tuple[Fact, bool]]]] = {}
        self._single: dict[tuple[int, bool], FactIndex] = {}
        self._numbers: dict[tuple[frozenset[Fact], frozenset[Fact]], int] = {}

    def of(self, members: Mapping[Node, int], graph: Condensed) -> FactIndex:
        """Returns the index of nodes that are one; byte x is byte x + `members`[node] of each node."""
        if len(members) == 1 and not any(members.values()):
            (node,) = members
            facts, behind = self._with_ends(node)
            is_seen = bool(behind) and graph.sharing.is_seen_with_others(node)
            key = id(facts), is_seen  # the lists are kept
            known = self._single.get(key)
            if known is None:
                known = self._single[key] = self._index(facts, _going_on(behind, is_seen))
            return known
        all_facts: list[Fact] = []
        all_behind: list[Fact] = []
        for node, at in members.items():
            facts, behind = self._with_ends(node)
            is_seen = bool(behind) and graph.sharing.is_seen_with_others(node)
            all_facts += _moved_back(facts, at)
            all_behind += _moved_back(_going_on(behind, is_seen), at)
        if len(members) > 1:
            all_facts, all_behind = joined(all_facts), joined(all_behind)
        return self._index(all_facts, all_behind)

    def _index(self, facts: list[Fact], behind: list[Fact]) -> FactIndex:
        alike = frozenset(facts), frozenset(behind)
        return FactIndex(facts, behind, self._numbers.setdefault(alike, len(self._numbers)))

    def _with_ends(self, node: Node) -> tuple[list[Fact], list[tuple[Fact, bool]]]:
        """Returns the node's facts with the ends of arrays, and what is behind these ends (`_Ends.behind`)."""
        key = tuple(node.facts)
        found = self._ended.get(key)
        if found is None:
            ends = _Ends(key)
            behind = ((run, may_go_on) for run, may_go_on in map(ends.behind, key) if run is not None)
            found = self._ended[key] = [*map(ends.bounded, key)], [*behind]
        return found


def _going_on(behind: list[tuple[Fact, bool]], is_seen: bool) -> list[Fact]:
    """Returns the elements of arrays that may go on. `is_seen`: pointers to the node may point at other objects."""
    return [run for run, may_go_on in behind if may_go_on or is_seen]


def _moved_back(facts: list[Fact], at: int) -> list[Fact]:
    """Returns the facts of a member of a node, which begins `at` bytes further on."""
    if not at:
        return facts
    return [(offset - at, stride, None if end is None else end - at, tag) for offset, stride, end, tag in facts]


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


class _Ends:
    """Where arrays end by a node's own facts: where something else begins, or the declaration ends."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        exact = [(at, tag) for at, step, _, tag in facts if step == 0 and isinstance(tag, Tag)]
        self._exact = sorted({(at, tag.kind) for at, tag in exact if not tag.weak}, key=_offset)
        hints = ((at, tag) for at, step, _, tag in facts if step == 0 and isinstance(tag, Hint))
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
