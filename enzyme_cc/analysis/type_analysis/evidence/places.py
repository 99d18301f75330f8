"""Places of type analysis: bytes of a node in the graph that a query asks about, and the evidence that is there."""

from __future__ import annotations

import enum
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, cast

from ..declared.hints import Hint
from ..graph.cycles import ViewCycle
from ..graph.graph_nodes import Node
from ..graph.pools import MovingPool
from ..kinds import Tag

#: the bytes of a word
WORD = 8
#: the largest natural alignment
WIDEST = 16
#: bytes before and after those of a query in which an access that touches these may begin or end
AROUND = 16
#: declarations are read this far beyond the bytes of a query: they tell where arrays begin
BEYOND = 4096
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
    followed already. `margin`: of so many bytes at either end, only accesses count that reach further in.
    """

    node: Node | MovingPool | ViewCycle
    base: int
    unsure: int
    repeats: int
    lo: int | None
    hi: int | None
    upward: bool
    arrived: bool = False
    margin: int = 0

    @property
    def inner(self) -> tuple[int, int]:
        """The bounds of the query's bytes without the margin, for a place with bounds."""
        assert self.lo is not None and self.hi is not None
        return self.lo + self.margin, self.hi - self.margin

    def words_without(self, margin: int) -> range:
        """Returns the words of the node that a place with bounds covers without so many bytes at either end."""
        _, base, _, _, lo, hi, _, _, _ = self
        assert lo is not None and hi is not None
        return range((base + lo + margin) >> 3, (base + hi - margin + 7) >> 3)

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


#: make a piece of evidence and a place of all their fields: millions are made, and constructors take twice the time
make_evidence = cast(
    Callable[[tuple[int, int, int | None, Tag | Hint, Tier]], Evidence], partial(tuple.__new__, Evidence)
)
make_place = cast(
    Callable[[tuple[Node | MovingPool | ViewCycle, int, int, int, int | None, int | None, bool, bool, int]], Place],
    partial(tuple.__new__, Place),
)

#: offset, stride, where the run ends, tag
Fact = tuple[int, int, int | None, Tag | Hint]
