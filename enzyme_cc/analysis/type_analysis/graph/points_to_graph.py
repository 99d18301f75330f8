"""The graph that type analysis works on: memory, what is known of its bytes, and who points into what.

After Das, Unification-based Pointer Analysis with Directional Assignments (PLDI 2000): assignments between pointers
that are values keep their direction, what lies behind pointers in memory is unified. Extended by byte offsets and
strides: a place in a node is an offset and a stride, meaning offset + k·stride for some unknown k (stride 0: exact).

A node is an object (stack slot, heap block, global), a register that holds bytes (an integer or an aggregate), or a
*view*: what a pointer of several possible targets points at. Edges lead from a view to its targets, and both ways
between memory that is copied. Facts are accesses; they flow along edges, so that an object knows of every access
through any view of it. Copying is symmetric: if a copy is used as a double, the original was one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from math import gcd
from typing import NamedTuple

from ..declared.hints import Hint
from ..kinds import Kind, Tag, natural_alignment

#: more facts of one tag than this become one with a stride
_MANY_EXACT = 200


class Edge(NamedTuple):
    """Bytes src + x (+ k·src_stride) of the source, lo ≤ x < hi, are bytes dst + x (+ k·dst_stride) of the target.

    `up`: no k of the source is negative.
    """

    target: Node
    src: int
    src_stride: int
    lo: int | None
    hi: int | None
    dst: int
    dst_stride: int
    view: bool
    up: bool = False

    def carry(self, offset: int, stride: int, end: int | None, size: int) -> tuple[int, int, int | None] | None:
        """Where in the target a fact of the source lies: offset, stride, end."""
        x, step = offset - self.src, gcd(stride, self.src_stride)
        if self.src_stride and self.is_before(x + size if stride == 0 else None if end is None else end - self.src):
            return None
        if step == 0:
            inside = (self.lo is None or self.lo <= x) and (self.hi is None or x + size <= self.hi)
            return (self.dst + x, self.dst_stride, None) if inside else None
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
        """Whether bytes that end there, as seen from `src`, are before all elements of an array that is copied."""
        return self.up and end is not None and end <= 0


Tags = Tag | Hint
#: offset, stride, end of the elements at a stride (None: not known), what
FactKey = tuple[int, int, int | None, Tags]


#: more elements than any memory has
_FAR = 1 << 40
_MANY_STRIDED = 24


class Node:
    """A place with bytes. `external`: code that is not analysed may access it. `function`: whose code it is."""

    __slots__ = (
        "copied", "counts", "edges", "external", "facts", "function", "is_register", "label", "parent", "strided",
        "viewers",
    )  # fmt: skip

    def __init__(self, label: str = "", is_register: bool = False) -> None:
        self.parent: Node | None = None
        self.label = label
        self.is_register = is_register
        self.facts: dict[FactKey, Node | None] = {}  # of a pointer: the view that it points at
        self.strided: dict[Tags, list[tuple[int, int, int | None]]] = {}
        self.counts: dict[Tags, int] = {}
        self.edges: dict[Edge, None] = {}
        self.viewers: dict[tuple[Node, Edge], None] = {}
        self.external = False
        self.copied = False  # there are copies of it, or of a view of it
        self.function: str | None = None

    def find(self) -> Node:
        node = self
        while node.parent is not None:
            if node.parent.parent is not None:
                node.parent = node.parent.parent
            node = node.parent
        return node

    def pointers(self) -> Iterator[tuple[int, int, Node]]:
        for (offset, stride, _, _), pointee in self.facts.items():
            if pointee is not None:
                yield offset, stride, pointee


class Handle(NamedTuple):
    """Where a pointer points: `offset` + k·`stride` in a node. `up`: k is not negative."""

    node: Node
    offset: int = 0
    stride: int = 0
    up: bool = True

    def moved(self, offset: int, stride: int, up: bool = False) -> Handle:
        return Handle(self.node, self.offset + offset, gcd(self.stride, stride), self.up and (up or not stride))


class Graph:
    """Nodes with the facts and edges between them; `solve` spreads facts until nothing changes."""

    def __init__(self) -> None:
        self._work: list[tuple[Node, FactKey]] = []
        self._copied = CopyComponents()
        self._merges: list[tuple[Node, Node]] = []
        self.touched: dict[Node, None] = {}  # nodes with pointers at strides, to look for overlaps

    # -- facts

    def access(self, handle: Handle, tag: Tags, pointee: Node | None = None) -> None:
        """Something at the handle is accessed as `tag` says."""
        self._add(handle.node.find(), handle.offset, handle.stride, None, tag, pointee)

    def pointee(self, handle: Handle, tag: Tag) -> Node:
        """The view that a pointer in memory points at; the access is noted."""
        node = handle.node.find()
        offset, stride = _aligned(handle.offset, handle.stride, tag)
        found = node.facts.get((offset, stride, None, tag))
        if found is None:
            found = Node()
            self._add(node, offset, stride, None, tag, found)
        return found.find()

    def _add(self, node: Node, offset: int, stride: int, end: int | None, tag: Tags, pointee: Node | None) -> None:
        if isinstance(tag, Tag):
            offset, stride = _aligned(offset, stride, tag)
        if stride and offset < -_FAR:
            offset, end = offset % stride - stride * _FAR, None
        key = (offset, stride, end if stride else None, tag)
        if key in node.facts:
            self._same_pointee(node.facts[key], pointee)
            return
        for start, step, stop in node.strided.get(tag, ()):
            within = stop is None or (offset + tag.size <= stop if stride == 0 else end is not None and end <= stop)
            if within and offset >= start and (offset - start) % step == 0 and stride % step == 0:
                self._same_pointee(node.facts[start, step, stop, tag], pointee)
                return
        self._insert(node, key, pointee)

    def _insert(self, node: Node, key: FactKey, pointee: Node | None) -> None:
        offset, stride, end, tag = key
        node.facts[key] = pointee
        self._work.append((node, key))
        if pointee is not None:
            self.touched[node] = None
            if node.external:
                self.mark_external(pointee)
        if stride:
            entries = node.strided.setdefault(tag, [])
            entries.append((offset, stride, end))
            if len(entries) % _MANY_STRIDED == 0:  # starts that sink without end (a pointer that runs down)
                steps = gcd(*(s for _, s, _ in entries), *(o - offset for o, _, _ in entries))
                self._add(node, offset - steps * _FAR, steps, None, tag, pointee)
            return
        node.counts[tag] = node.counts.get(tag, 0) + 1
        if node.counts[tag] > _MANY_EXACT:
            self._widen(node, tag, pointee)

    def _widen(self, node: Node, tag: Tags, pointee: Node | None) -> None:
        """Offsets that grow without end (a cycle of copies with a shift) become one fact with a stride."""
        offsets = [o for (o, s, _, t) in node.facts if t == tag and s == 0]
        start, step = min(offsets), 0
        for offset in offsets:
            step = gcd(step, offset - start)
        node.counts[tag] = 0
        if step:
            self._add(node, start, step, None, tag, pointee)

    def _same_pointee(self, known: Node | None, other: Node | None) -> None:
        if known is not None and other is not None and known is not other:
            self._merges.append((known, other))

    # -- edges

    def points(self, view: Node, handle: Handle | None) -> None:
        """The view may be what the handle points at."""
        if handle is not None and (handle.node.find() is not view.find() or handle.offset or handle.stride):
            self._link(view.find(), Edge(handle.node.find(), 0, 0, None, None, handle.offset, handle.stride, True))

    def copies(self, a: Handle, b: Handle, size: int | None) -> None:
        """`size` bytes at the two places are the same data."""
        for x, y in ((a, b), (b, a)):
            edge = Edge(y.node.find(), x.offset, x.stride, 0, size, y.offset, y.stride, False, x.up)
            self._link(x.node.find(), edge)
        if size is None and a.stride == b.stride == 0:
            self._again(self._copied.join(a.node.find(), b.node.find(), a.offset - b.offset))

    def _again(self, nodes: list[Node]) -> None:
        """Copies turned out to go round in a circle: what is there repeats."""
        for node in dict.fromkeys(n.find() for n in nodes):
            self._work += [(node, key) for key in node.facts]

    def same(self, a: Node, b: Node) -> None:
        """The two nodes are the same bytes."""
        if a.find() is not b.find():
            self._merges.append((a, b))

    def _link(self, node: Node, edge: Edge) -> None:
        if edge in node.edges:
            return
        node.edges[edge] = None
        if edge.view:
            edge.target.viewers[node, edge] = None
            if node.external:
                self.mark_external(edge.target)
        if node.copied or not edge.view:
            self._mark_copied(node)
        for key, pointee in list(node.facts.items()):
            self._carry(node, edge, key, pointee)

    def _mark_copied(self, node: Node) -> None:
        work = [node]
        while work:
            node = work.pop().find()
            targets = [e.target.find() for e in node.edges if e.view]
            if not node.copied:
                node.copied = True
                work.extend(targets)
            else:
                work.extend(t for t in targets if not t.copied)

    def mark_external(self, node: Node) -> None:
        """Code that is not analysed may access the node, and all that can be reached from it."""
        work = [node]
        while work:
            node = work.pop().find()
            if node.external:
                continue
            node.external = True
            work.extend(edge.target for edge in node.edges if edge.view)
            work.extend(pointee for _, _, pointee in node.pointers())

    # -- solving

    def solve(self) -> None:
        while self._work or self._merges:
            while self._merges:
                a, b = self._merges.pop()
                self._merge(a.find(), b.find())
            if self._work:
                node, key = self._work.pop()
                if node.parent is None:  # else its facts went on to the node it was merged into
                    pointee = node.facts[key]
                    for edge in list(node.edges):
                        self._carry(node, edge, key, pointee)

    def _carry(self, node: Node, edge: Edge, key: FactKey, pointee: Node | None) -> None:
        offset, stride, end, tag = key
        if isinstance(tag, Hint) and ((edge.hi is not None and edge.hi <= 16) or tag.exceeds(edge.src_stride)):
            return  # declarations of structs are not for words, or elements of an array inside, that are copied out
        carried = edge.carry(offset, stride, end, tag.size)
        if carried is None:
            return
        to, step, stop = carried
        target = edge.target.find()
        if edge.hi is None:
            if target is node and to != offset:  # on and on by the same distance
                to, step, stop = min(offset, to), gcd(step, stride, to - offset), None
            period = 0 if edge.view else self._copied.period(node)
            if period:
                to, step, stop = edge.dst + (to - edge.dst) % period, gcd(step, period), None
        self._add(target, to, step, stop, tag, pointee)

    def _merge(self, a: Node, b: Node) -> None:
        if a is b:
            return
        if len(a.facts) + len(a.edges) < len(b.facts) + len(b.edges):
            a, b = b, a
        b.parent = a
        a.label = a.label or b.label
        a.function = a.function or b.function
        if a.external != b.external:
            a.external = b.external = False
            self.mark_external(a)
            work = [edge.target for edge in b.edges if edge.view] + [pointee for _, _, pointee in b.pointers()]
            for node in work:
                self.mark_external(node)
        a.copied = a.copied or b.copied
        a.is_register = a.is_register or b.is_register
        self._again(self._copied.join(a, b, 0))
        a.viewers.update(b.viewers)
        for edge in b.edges:
            if edge.target.find() is a and edge.view and edge.dst == 0 and edge.dst_stride == 0:
                continue
            self._link(a, edge._replace(target=edge.target.find()))
        for (offset, stride, end, tag), pointee in b.facts.items():
            self._add(a, offset, stride, end, tag, pointee)
        b.facts, b.edges, b.viewers, b.strided, b.counts = {}, {}, {}, {}, {}

    def unify_overlaps(self) -> bool:
        """Pointers at offsets that may coincide point at the same; whether that was news."""
        touched, self.touched = list(self.touched), {}
        for node in dict.fromkeys(n.find() for n in touched):
            entries = [(o, s, p.find()) for o, s, p in node.pointers()]
            apart = _no_pointers(node)
            for offset, stride, pointee in [e for e in entries if e[1]]:
                for other, step, target in entries:
                    if pointee is target or (offset - other) % gcd(stride, step) or _between(apart, offset, other):
                        continue
                    self._same_pointee(pointee, target)
        return bool(self._merges)


class CopyComponents:
    """Nodes that copies of unknown size connect, each with its offset to the others: a weighted union-find.

    Where two ways between nodes differ in length, data moves along by the difference, again and again: the component
    has that period.
    """

    def __init__(self) -> None:
        self._up: dict[Node, tuple[Node, int]] = {}
        self._periods: dict[Node, int] = {}
        self._members: dict[Node, list[Node]] = {}

    def _root(self, node: Node) -> tuple[Node, int]:
        """The root, and the node's offset to it."""
        path = []
        while node in self._up:
            path.append(node)
            node = self._up[node][0]
        shift = 0
        for below in reversed(path):
            shift += self._up[below][1]
            self._up[below] = node, shift
        return node, shift

    def period(self, node: Node) -> int:
        return self._periods.get(self._root(node)[0], 0) if self._up or self._periods else 0

    def join(self, a: Node, b: Node, shift: int) -> list[Node]:
        """Byte x of b is byte x + shift of a. Gives the nodes of the component if its period is news."""
        (root, of_a), (other, of_b) = self._root(a), self._root(b)
        distance = of_a + shift - of_b
        before = gcd(self._periods.get(root, 0), self._periods.get(other, 0))
        members = self._members.setdefault(root, [root])
        if root is not other:
            self._up[other] = root, distance
            members += self._members.pop(other, [other])
            distance = 0
        period = gcd(before, self._periods.pop(other, 0) if root is not other else 0, distance)
        if period == self._periods.get(root, 0):
            return []
        self._periods[root] = period
        return members


def _no_pointers(node: Node) -> list[int]:
    """Offsets at which something that is no pointer lies."""
    found = (o for o, s, _, tag in node.facts if isinstance(tag, Tag) and s == 0 and tag.kind is not Kind.POINTER)
    return sorted(set(found))


def _between(apart: list[int], a: int, b: int) -> bool:
    """Whether one of the sorted offsets lies between two others, so that these belong to different arrays."""
    return bisect_right(apart, min(a, b)) < bisect_left(apart, max(a, b))


def _aligned(offset: int, stride: int, tag: Tag) -> tuple[int, int]:
    """A stride that is known badly (a byte offset computed at run time) is at least the natural alignment."""
    if stride == 0:
        return offset, 0
    alignment = natural_alignment(tag)
    step = abs(stride)
    return offset, step if step % alignment == 0 else alignment * step // gcd(alignment, step)
