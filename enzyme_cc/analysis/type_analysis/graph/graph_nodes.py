"""Nodes of the type graph, their facts, and the edges between them. All places are byte offsets in nodes."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import NamedTuple

from ...integers.signs import Direction
from ..declared.hints import Hint
from ..kinds import FLOATS, POINTER_TAG, Kind, Tag

_CARRIED = FLOATS | {Kind.POINTER}
#: what a fact says: an access, or a declaration
Tags = Tag | Hint
#: a fact: offset, stride, end of the elements at a stride (None: unknown), what it says
FactKey = tuple[int, int, int | None, Tags]
#: where a fact lies: offset, stride, end
Position = tuple[int, int, int | None]
#: the elements of an array of pointers may lie before the first one that is known
BACK = 1
#: they may lie behind what seems to end the array: words are moved from one array to another, whatever they hold
ON = 2


def reach_of(stride: int, direction: Direction) -> int:
    """Returns how far an index may lead: one that counts bytes may be the offset of any member of a struct."""
    if not stride:
        return 0
    return (0 if direction is Direction.FORWARDS else BACK) | (ON if stride % POINTER_TAG.size else 0)


class Edge(NamedTuple):
    """A mapping of bytes: byte src + x + k·src_stride of the source is byte dst + x + k·dst_stride of the target.

    It holds for lo ≤ x < hi (None: no limit) and some integer k. `direction`: the sign of k, of the source, or for a
    view, of the target. `view`: the source is a pointer's view of the target. Otherwise the bytes are copies of each
    other.
    """

    target: Node
    src: int
    src_stride: int
    lo: int | None
    hi: int | None
    dst: int
    dst_stride: int
    view: bool
    direction: Direction = Direction.EITHER

    def carry(self, offset: int, stride: int, end: int | None, size: int) -> Position | None:
        """Returns where in the target a fact of the source lies; None if the edge does not carry it."""
        x = offset - self.src
        if not (stride or self.src_stride):  # most are: nothing repeats
            return self._carry_one(x, size)
        if self.src_stride and self.is_before(x + size if stride == 0 else None if end is None else end - self.src):
            return None
        step = gcd(stride, self.src_stride)
        return self._carry_run(x, step, end, size) if step else self._carry_one(x, size)

    @property
    def reach(self) -> int:
        """Returns how far elements of the target's array may lie from the byte that a fact is carried to."""
        if self.view:
            return reach_of(self.dst_stride, self.direction)
        return BACK | ON if self.src_stride or self.dst_stride else 0

    def _carry_one(self, x: int, size: int) -> Position | None:
        inside = (self.lo is None or self.lo <= x) and (self.hi is None or x + size <= self.hi)
        return (self.dst + x, self.dst_stride, None) if inside else None

    def _carry_run(self, x: int, step: int, end: int | None, size: int) -> Position | None:
        """Carries elements at a stride: those from the first one inside up to the last one inside."""
        if self.lo is not None and (x < self.lo or self.src_stride):
            x = self.lo + (x - self.lo) % step
        last = None if end is None or self.src_stride else end - self.src
        if self.hi is not None:
            last = self.hi if last is None else min(last, self.hi)
        if last is not None and x + size > last:
            return None
        bound = None if last is None or self.dst_stride else self.dst + last
        return self.dst + x, gcd(step, self.dst_stride), bound

    def is_before(self, end: int | None) -> bool:
        """Returns whether bytes that end at `end`, counted from `src`, lie before all elements of a copied array."""
        return self.direction is Direction.FORWARDS and end is not None and end <= 0


#: shared by the nodes without such arrays: there are many nodes
_NOWHERE: dict[FactKey, int] = {}


class Node:
    """A place with bytes: an object, a register, or a view.

    `facts`: what is known of the bytes; for a pointer in memory, with the view of what it points at. `external`: code
    that is not analysed may access it. `function`: the function whose code it is. `copied`: there are copies of it, or
    of a view of it. `integers`: offsets and sizes of the integers in the variables that it stands for, if their types
    tell the use of all bytes. `is_text`: it has characters that never change. `reach`: how far arrays of pointers may
    go on (`BACK`, `ON`). `within_runs`: how many facts tell of single elements of arrays without a known end.
    `parent`: the node that this one was merged into.
    """

    __slots__ = (
        "copied", "counts", "edges", "external", "facts", "function", "integers", "is_register", "is_text", "label",
        "parent", "reach", "strided", "viewers", "within_runs",
    )  # fmt: skip

    def __init__(self, label: str = "", is_register: bool = False) -> None:
        self.parent: Node | None = None
        self.label = label
        self.is_register = is_register
        self.facts: dict[FactKey, Node | None] = {}
        self.strided: dict[Tags, list[Position]] = {}
        self.counts: dict[Tags, int] = {}
        self.reach = _NOWHERE
        self.within_runs = 0
        self.edges: dict[Edge, None] = {}
        self.viewers: dict[tuple[Node, Edge], None] = {}
        self.external = False
        self.integers: frozenset[tuple[int, int]] | None = None
        self.is_text = False
        self.copied = False
        self.function: str | None = None

    def find(self) -> Node:
        """Returns the node that stands for this one after merges (union-find with path halving)."""
        node = self
        while node.parent is not None:
            if node.parent.parent is not None:
                node.parent = node.parent.parent
            node = node.parent
        return node

    def extend(self, key: FactKey, reach: int) -> None:
        """Enters how far the pointers of a fact may go on."""
        if not self.reach:
            self.reach = {}
        self.reach[key] = reach

    @property
    def described(self) -> str:
        """The node in words, for a diagnostic."""
        return f"{self.label or 'memory behind pointers'}, of which {len(self.facts):,} facts are known"

    def pointers(self) -> Iterator[tuple[FactKey, Node]]:
        """Yields each pointer in the node with its pointee."""
        for key, pointee in self.facts.items():
            if pointee is not None:
                yield key, pointee.find()

    def views(self) -> list[Edge]:
        """Returns the edges to what this node is a view of."""
        return [edge for edge in self.edges if edge.view]

    def viewed(self) -> list[Node]:
        """Returns the nodes that this node is a view of."""
        return [edge.target.find() for edge in self.edges if edge.view]

    def reached(self) -> list[Node]:
        """Returns what this node is a view of, and what its pointers point at."""
        return [*self.viewed(), *(pointee for _, pointee in self.pointers())]

    def linked(self) -> list[Node]:
        """Returns the node that stands for this one, the nodes around it, and those that its pointers point at."""
        return [self.find(), *self.neighbours(), *(pointee for _, pointee in self.pointers())]

    @property
    def ends_walks(self) -> bool:
        """True if what other memory holds that it is copied to tells nothing of it: only characters are read there.

        Otherwise a message or a blank would connect all strings that it is copied to.
        """
        return self.is_text and not any(isinstance(tag, Tag) and tag.kind in _CARRIED for *_, tag in self.facts)

    def clear(self) -> None:
        """Drops all that is known of the node."""
        self.facts, self.edges, self.viewers, self.strided, self.counts = {}, {}, {}, {}, {}
        self.reach = _NOWHERE

    def neighbours(self) -> list[Node]:
        """Returns the nodes that edges connect with this one, in either direction."""
        return [edge.target.find() for edge in self.edges] + [view.find() for view, _ in self.viewers]


class Handle(NamedTuple):
    """Where a pointer points: at `offset` + k·`stride` in a node. `direction`: the sign of k."""

    node: Node
    offset: int = 0
    stride: int = 0
    direction: Direction = Direction.FORWARDS

    @property
    def reach(self) -> int:
        """Returns how far elements of an array at the handle may lie from it."""
        return reach_of(self.stride, self.direction)

    def moved(self, offset: int, stride: int, direction: Direction = Direction.EITHER) -> Handle:
        """Returns the handle after address arithmetic."""
        leads = min(self.direction, direction) if stride else self.direction
        return Handle(self.node, self.offset + offset, gcd(self.stride, stride), leads)
