"""Answers to queries of type analysis: the evidence about some bytes.

An answer about a whole object may have 70,000 pieces, most of which are declarations and integers. Who asks about
numbers, pointers or exact accesses takes that portion, which is found without the others.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Sequence

from ..kinds import FLOATS, Kind, Tag
from .places import WORD, Evidence, Tier

CARRIED = FLOATS | {Kind.POINTER}


class Portion(enum.Enum):
    """A portion of an answer. The elements of arrays behind what seems to end them (CUT) are in no other one."""

    ALL = "all"
    CUT = "cut"
    CARRIED = "accesses to numbers and pointers"
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
    return tier is Tier.BEHIND if portion is Portion.BEHIND else tier is Tier.EXACT and not tag.weak


def in_each_word(item: Evidence) -> Kind | None:
    """Returns the kind of which a piece of evidence puts something in each word, from wherever it is seen."""
    is_everywhere = item.tier is Tier.FOLDED and item.stride and WORD % item.stride == 0 and item.end is None
    return item.tag.kind if is_everywhere and isinstance(item.tag, Tag) else None


class Collected:
    """The evidence about some bytes.

    `external`: code that is not analysed may access them too. `complete`: the search was not given up. `in_each_word`:
    kinds of numbers, and POINTER, that are in each word at some time, as far as is known without looking at all pieces.
    """

    def __init__(
        self,
        find: Callable[[Portion], Iterable[Evidence]],
        external: bool = False,
        complete: bool = True,
        in_each_word: frozenset[Kind] = frozenset(),
    ) -> None:
        self._find = find
        self._portions: dict[Portion, dict[Evidence, None]] = {}
        self.external = external
        self.complete = complete
        self.in_each_word = in_each_word

    @classmethod
    def of(cls, items: Iterable[Evidence], external: bool = False, complete: bool = True) -> Collected:
        """Returns the answer that has the given pieces."""
        kept = list(items)
        return cls(lambda portion: (i for i in kept if belongs(portion, i)), external, complete)

    def portion(self, portion: Portion) -> dict[Evidence, None]:
        """Returns the pieces of a portion, each once."""
        found = self._portions.get(portion)
        if found is None:
            found = self._portions[portion] = dict.fromkeys(self._find(portion))
        return found

    @property
    def items(self) -> dict[Evidence, None]:
        """All evidence, without CUT."""
        return self.portion(Portion.ALL)


def together(answers: Sequence[Collected]) -> Collected:
    """Returns one answer with the evidence of all."""
    if len(answers) == 1:
        return answers[0]

    def find(portion: Portion) -> Iterable[Evidence]:
        return (item for answer in answers for item in answer.portion(portion))

    in_each_word = frozenset[Kind]().union(*(a.in_each_word for a in answers))
    return Collected(find, any(a.external for a in answers), all(a.complete for a in answers), in_each_word)
