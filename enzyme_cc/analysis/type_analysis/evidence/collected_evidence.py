"""Answers to queries of type analysis: the evidence about some bytes.

An answer about a whole object may have 70,000 pieces, most of which are declarations and integers. Who asks about
numbers, pointers or exact accesses takes that portion, which is found without the others.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from math import lcm
from typing import NamedTuple

from ..declared.hints import Hint
from ..kinds import FLOATS, Kind, Tag
from .places import BEYOND, WORD, Evidence, Tier

CARRIED = FLOATS | {Kind.POINTER}
_LONG_PERIOD = 4096


class Portion(enum.Enum):
    """A portion of an answer. The elements of arrays behind what seems to end them (CUT) are in no other one."""

    ALL = "all"
    CUT = "cut"
    CARRIED = "accesses to numbers and pointers"
    NUMBERS = "accesses to numbers"
    EXACT = "exact accesses, and no weak ones"
    BEHIND = "accesses to elements of arrays that may go on"

    __hash__ = object.__hash__  # there is one of each


def belongs(portion: Portion, item: Evidence) -> bool:
    """Returns whether a piece of evidence is in a portion."""
    tag, tier = item.tag, item.tier
    if portion is Portion.CUT or tier is Tier.CUT:
        return portion is Portion.CUT and tier is Tier.CUT
    if portion is Portion.ALL:
        return True
    if not isinstance(tag, Tag):
        return False
    if portion is Portion.CARRIED:
        return tag.kind in CARRIED
    if portion is Portion.NUMBERS:
        return tag.kind in FLOATS
    return tier is Tier.BEHIND if portion is Portion.BEHIND else tier is Tier.EXACT and not tag.weak


def is_access_to(kind: Kind, item: Evidence) -> bool:
    return isinstance(item.tag, Tag) and item.tag.kind is kind


def in_each_word(item: Evidence) -> Kind | None:
    """Returns the kind of which a piece of evidence puts something in each word, from wherever it is seen."""
    is_everywhere = item.tier is Tier.FOLDED and item.stride and WORD % item.stride == 0 and item.end is None
    return item.tag.kind if is_everywhere and isinstance(item.tag, Tag) else None


class Near(NamedTuple):
    """Pieces that may tell what some bytes hold, and after how many bytes all evidence repeats, if it does."""

    pieces: Collection[Evidence]
    period: int | None


class RecentPortions:
    """Portions of answers that were asked for last, of so many pieces in all. Others are found again when asked for.

    An object's evidence is seen from each of its members. All portions together would take gigabytes.
    """

    def __init__(self, most: int = 400_000) -> None:
        self._most, self._count = most, 0
        self._kept: deque[tuple[dict[Portion, Collection[Evidence]], Portion]] = deque()

    def add(self, portions: dict[Portion, Collection[Evidence]], portion: Portion) -> None:
        """Notes one that was just found, and forgets the oldest ones."""
        self._kept.append((portions, portion))
        self._count += len(portions[portion])
        while self._count > self._most and len(self._kept) > 1:
            oldest, name = self._kept.popleft()
            self._count -= len(oldest.pop(name))


class Collected:
    """The evidence about some bytes.

    `external`: code that is not analysed may access them too. `complete`: the search was not given up. `in_each_word`:
    kinds of numbers, and POINTER, that are in each word at some time, as far as is known without looking at all pieces.
    `kinds`: finds those of all accesses without looking at each piece. `find_near`: finds the pieces that may tell what
    so many of the first bytes hold, and perhaps others. `recent`: forgets large portions.
    """

    def __init__(
        self,
        find: Callable[[Portion], Iterable[Evidence]],
        external: bool = False,
        complete: bool = True,
        in_each_word: frozenset[Kind] = frozenset(),
        kinds: Callable[[], frozenset[Kind]] | None = None,
        find_near: Callable[[int], Iterable[Evidence]] | None = None,
        recent: RecentPortions | None = None,
    ) -> None:
        self._find, self._find_near, self._recent = find, find_near, recent
        self._portions: dict[Portion, Collection[Evidence]] = {}
        self.external = external
        self.complete = complete
        self.in_each_word = in_each_word
        self._kinds = kinds

    @classmethod
    def of(cls, items: Iterable[Evidence], external: bool = False, complete: bool = True) -> Collected:
        """Returns the answer that has the given pieces."""
        kept = list(items)
        return cls(lambda portion: (i for i in kept if belongs(portion, i)), external, complete)

    def portion(self, portion: Portion) -> Collection[Evidence]:
        """Returns the pieces of a portion, each once."""
        found = self._portions.get(portion)
        if found is None:
            found = self._portions[portion] = longest_runs(self._find(portion))
            if self._recent is not None:
                self._recent.add(self._portions, portion)
        return found

    def near(self, size: int) -> Near:
        """Returns the pieces that may tell what the first `size` bytes hold, each once."""
        near: list[Evidence] = []
        steps: dict[tuple[bool, int, int | None], Evidence] = {}
        elsewhere: dict[tuple[int, Tag | Hint, Tier], Evidence] = {}  # where in an array, does not matter
        for item in self.items if self._find_near is None else longest_runs(self._find_near(size)):
            offset, stride, _, tag, tier = item
            is_declared = isinstance(tag, Hint)
            if is_declared or tier is Tier.STRIDED:
                steps[is_declared, stride, tag.period if isinstance(tag, Hint) else None] = item
            if stride and tier in (Tier.ELSEWHERE, Tier.BEHIND):
                elsewhere.setdefault((stride, tag, tier), item)
            elif offset < size + BEYOND * is_declared or (stride and (is_declared or offset % stride < size)):
                near.append(item)
        return Near([*near, *elsewhere.values()], period_of(steps.values(), False))

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of all accesses."""
        if self._kinds is not None:
            return self._kinds()
        return frozenset(i.tag.kind for i in self.items if isinstance(i.tag, Tag))

    @property
    def items(self) -> Collection[Evidence]:
        """All evidence, without CUT."""
        return self.portion(Portion.ALL)


def longest_runs(pieces: Iterable[Evidence]) -> Collection[Evidence]:
    """Returns each piece once. Of arrays that differ only in their ends, the longest tells what all others tell.

    A copy of n bytes that may lie anywhere in an array shows it with up to n ends.
    """
    longest: dict[tuple[int, int, Tag | Hint, Tier], Evidence] = {}
    for item in pieces:
        offset, stride, end, tag, tier = item
        known = longest.setdefault((offset, stride, tag, tier), item)
        if known is not item and known.end is not None and (end is None or end > known.end):
            longest[offset, stride, tag, tier] = item
    return tuple(longest.values())


def together(answers: Sequence[Collected]) -> Collected:
    """Returns one answer with the evidence of all."""
    if len(answers) == 1:
        return answers[0]

    def find(portion: Portion) -> Iterable[Evidence]:
        return (item for answer in answers for item in answer.portion(portion))

    in_each_word = frozenset[Kind]().union(*(a.in_each_word for a in answers))
    return Collected(find, any(a.external for a in answers), all(a.complete for a in answers), in_each_word)


def period_of(items: Iterable[Evidence], any_size: bool) -> int | None:
    """Returns after how many bytes all evidence repeats, if it does. `any_size`: declared units count, too."""
    period = 0
    hinted = 0
    for item in items:
        if isinstance(item.tag, Hint):
            step = item.stride or item.tag.period or (item.tag.unit if any_size else 0) or 0
            hinted = lcm(hinted, step) if hinted and step else hinted or step
        elif item.tier is Tier.STRIDED and item.stride:
            period = lcm(period, item.stride) if period else item.stride
    period = period or hinted
    return period if 0 < period <= _LONG_PERIOD else None
