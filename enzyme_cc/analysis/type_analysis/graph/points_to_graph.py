"""The graph that type analysis works on: memory, what is known of its bytes, and what points into what.

After Das, Unification-based Pointer Analysis with Directional Assignments (PLDI 2000). Assignments between pointers
that are values keep their direction. What lies behind pointers in memory is unified. Byte offsets and strides are added
here: a place in a node is offset + k·stride for some unknown k. Stride 0 means exactly the offset.

A node is one of:

- an object: a stack slot, a heap block, a global;
- a register that holds bytes: an integer or an aggregate;
- a *view*: what a pointer with several possible targets points at.

Edges lead from a view to its targets, and both ways between places whose data was copied. Facts are accesses and
declarations. They flow along views, so that an object knows every access through any view of it. Copies carry pointers
only, both ways, since these decide what points where. Queries follow copies to all other facts.
"""

from __future__ import annotations

from math import gcd, lcm

from ....ir.graphs import strongly_connected
from ....report import EnzymeError
from ...integers.signs import Direction
from ..declared.hints import Hint
from ..kinds import POINTER_TAG, Kind, Tag, element_step
from .copy_components import CopyComponents
from .cycles import Cycles
from .graph_nodes import BACK, ON, Edge, FactKey, Handle, Node, Tags

#: more facts of one tag than this become one fact with a stride
_MANY_EXACT = 200
#: so many facts of single elements are kept in a node where an array without a known end says the same
_MANY_WITHIN_RUNS = 64
#: so many of these may be pointers, which have to be carried on
_FEW_WITHIN_RUNS = 8
#: at so many facts of one tag, they are looked through for those that a cycle of views has made
_CHECKED = frozenset([4, 16, 64])
#: more elements than any memory has
_FAR = 1 << 40
#: farther than any offset, also of arrays without begin
_BEYOND = 1 << 60
_MANY_STRIDED = 24
#: a larger common step of arrays is not looked at
_MOST_RESTS = 4096
#: a cycle of views carries endless arrays down that begin at so many places
_MANY_STARTS = 3
#: one analysis carries no more facts along edges than these: minutes, and thrice as many as any program known to end
MOST_CARRIED = 30_000_000
#: after so many new views, those that are the same bytes are looked for
_MANY_NEW_VIEWS = 2000


class Graph:
    """The facts and edges that are entered. `solve` spreads facts along edges until nothing changes."""

    def __init__(self) -> None:
        self._work: list[tuple[Node, FactKey]] = []
        self._copied = CopyComponents()
        self._merges: list[tuple[Node, Node]] = []
        self._cycles = Cycles()
        self._steps = 0  # since the cycles were looked for
        self.carried = 0
        self._linked = 0  # facts that were carried along an edge when it was entered
        self._new_views: dict[Node, None] = {}  # nodes that view others since nodes with the same bytes were merged
        self.touched: dict[Node, None] = {}  # nodes that got pointers since overlaps were unified

    # -- facts

    def access(self, handle: Handle, tag: Tags, pointee: Node | None = None) -> None:
        """Enters that something at the handle is accessed as `tag` says."""
        self._add(handle.node.find(), handle.offset, handle.stride, None, tag, pointee, handle.reach)

    def pointee(self, handle: Handle, tag: Tag) -> Node:
        """Returns the view that a pointer in memory points at, and enters the access to that pointer."""
        node = handle.node.find()
        offset, stride = _aligned(handle.offset, handle.stride, tag)
        found = node.facts.get((offset, stride, None, tag))
        if found is None:
            found = Node()
        self._add(node, offset, stride, None, tag, found, handle.reach)
        return found.find()

    def moves(self, handle: Handle) -> None:
        """Enters that pointers at the handle are moved to or from another array, perhaps with all that lies around."""
        node = handle.node.find()
        for key, pointee in list(node.facts.items()):
            tag = key[3]
            if isinstance(tag, Tag) and pointee and key[:2] == _aligned(handle.offset, handle.stride, tag):
                self._extend(node, key, ON)

    def _add(
        self,
        node: Node,
        offset: int,
        stride: int,
        end: int | None,
        tag: Tags,
        pointee: Node | None,
        reach: int,
    ) -> None:
        if isinstance(tag, Tag):
            offset, stride = _aligned(offset, stride, tag)
        if stride and offset < -_FAR:
            offset, end = offset % stride - stride * _FAR, None
        key = (offset, stride, end if stride else None, tag)
        if key in node.facts:
            self._same_pointee(node.facts[key], pointee)
            self._extend(node, key, reach)
            return
        runs = _covering_runs(node, key)
        if not runs:
            self._insert(node, key, pointee, reach)
            return
        most = _MANY_WITHIN_RUNS if pointee is None else _FEW_WITHIN_RUNS
        if not stride and runs[0][2] is None and isinstance(tag, Tag) and node.within_runs < most:
            node.within_runs += 1  # other evidence may tell that the array ends before
            if pointee is None:
                node.facts[key] = None
            else:
                self._insert(node, key, pointee, reach)
            return
        for run in runs:
            self._same_pointee(node.facts[run], pointee)
            self._extend(node, run, reach)

    def _extend(self, node: Node, key: FactKey, reach: int) -> None:
        """Enters how far pointers like a known one may lie from it."""
        known = node.reach.get(key, 0) if reach else 0
        if reach & ~known and node.facts.get(key) is not None:
            node.extend(key, known | reach)
            self._work.append((node, key))
            self.touched[node] = None

    def _insert(self, node: Node, key: FactKey, pointee: Node | None, reach: int) -> None:
        if reach and pointee is not None:
            node.extend(key, reach)
        offset, stride, end, tag = key
        node.facts[key] = pointee
        self._work.append((node, key))
        if pointee is not None:
            self.touched[node] = None
            if node.external:
                self.mark_external(pointee)
        if stride:
            if offset < -_FAR:
                self._drop_covered(node, key, pointee)
            entries = node.strided.setdefault(tag, [])
            entries.append((offset, stride, end))
            if len(entries) in _CHECKED:
                self._sink(node, tag)
            if len(entries) % _MANY_STRIDED == 0:  # starts sink without end: a pointer runs down
                self._enter_endless(node, tag, pointee)
            return
        node.counts[tag] = node.counts.get(tag, 0) + 1
        if node.counts[tag] in _CHECKED:
            self._fold(node, tag)
        if node.counts[tag] > _MANY_EXACT:
            self._widen(node, tag, pointee)

    def _fold(self, node: Node, tag: Tags) -> None:
        """Enters an endless array for facts of one tag that repeat after the period of a cycle of views."""
        period = self._period(node)
        if not period:
            return
        step = _aligned(0, period, tag)[1] if isinstance(tag, Tag) else period
        alike: dict[int, list[int]] = {}
        for offset, stride, _, other in node.facts:
            if other == tag and not stride:
                alike.setdefault(offset % step, []).append(offset)
        for offsets in alike.values():
            if len(offsets) > 1:
                first = min(offsets)
                self._add(node, first, step, None, tag, node.facts[first, 0, None, tag], BACK)

    def _sink(self, node: Node, tag: Tags) -> None:
        """Enters an array without begin for endless arrays of one tag that a cycle of views carries down."""
        period = self._period(node)
        if not period:
            return
        alike: dict[tuple[int, int], list[FactKey]] = {}
        for offset, stride, end in node.strided[tag]:
            step = gcd(stride, period)
            step = _aligned(0, step, tag)[1] if isinstance(tag, Tag) else step
            if end is None:
                alike.setdefault((step, offset % step), []).append((offset, stride, end, tag))
        for (step, rest), keys in alike.items():
            left = [key for key in keys if key in node.facts]  # the array of another group may cover them
            if len(left) >= _MANY_STARTS:
                self._add(node, rest - step * _FAR, step, None, tag, node.facts[left[0]], BACK)

    def _enter_endless(self, node: Node, tag: Tags, pointee: Node | None) -> None:
        """Enters arrays without begin and end for all arrays of one tag, which they replace.

        There are several if the arrays have no common step of an element or more.
        """
        entries = node.strided[tag]
        first = entries[-1][0]
        steps = gcd(*(s for _, s, _ in entries), *(o - first for o, _, _ in entries))
        step = _aligned(0, steps, tag)[1] if isinstance(tag, Tag) else steps
        places = dict.fromkeys(rest for o, s, _ in reversed(entries) for rest in _rests(o, s, step))
        for rest in places:
            self._add(node, rest - step * _FAR, step, None, tag, pointee, BACK)
        endless = _endless_starts(node, tag) if len(places) > 1 else {}
        for position in node.strided[tag][:] if endless else ():
            runs = _endless_runs(endless, (*position, tag)) if position[0] >= -_FAR else []
            if runs:
                node.strided[tag].remove(position)
                known = node.facts.pop((*position, tag))
                for run in runs:
                    self._same_pointee(node.facts[run], known)

    def _drop_covered(self, node: Node, key: FactKey, pointee: Node | None) -> None:
        """Removes the arrays that one without begin and end makes superfluous."""
        first, step, _, tag = key
        for position in node.strided.get(tag, [])[:]:
            offset, stride, _ = position
            if stride % step == 0 and (offset - first) % step == 0:
                node.strided[tag].remove(position)
                self._same_pointee(node.facts.pop((*position, tag)), pointee)

    def _period(self, node: Node) -> int:
        """Returns the period of the cycle of views that the node is on, as it was known a while ago; 0 if none was."""
        if self._steps > self._cycles.known:
            self._cycles, self._steps = Cycles(), 0
        return self._cycles.period(node)

    def _widen(self, node: Node, tag: Tags, pointee: Node | None) -> None:
        """Replaces offsets that grow without end (a cycle of copies with a shift) by one fact with a stride."""
        offsets = sorted(o for (o, s, _, t) in node.facts if t == tag and s == 0)
        steps = gcd(*(offset - offsets[0] for offset in offsets))
        node.counts[tag] = 0
        if steps:
            step = _aligned(0, steps, tag)[1] if isinstance(tag, Tag) else steps
            for start in {offset % step: offset for offset in reversed(offsets)}.values():
                self._add(node, start, step, None, tag, pointee, BACK)

    def _same_pointee(self, known: Node | None, other: Node | None) -> None:
        if known is not None and other is not None and known is not other:
            self._merges.append((known, other))

    # -- edges

    def points(self, view: Node, handle: Handle | None) -> None:
        """Enters that the view may be what the handle points at."""
        if handle is not None and (handle.node.find() is not view.find() or handle.offset or handle.stride):
            goes_on = handle.direction is Direction.FORWARDS and handle.stride > 0
            direction = Direction.FORWARDS if goes_on else Direction.EITHER
            target = handle.node.find()
            edge = Edge(target, 0, 0, None, None, handle.offset, handle.stride, view=True, direction=direction)
            self._link(view.find(), edge)

    def copies(self, a: Handle, b: Handle, size: int | None) -> None:
        """Enters that `size` bytes (None: unknown) at the two places are the same data."""
        for x, y in ((a, b), (b, a)):
            place = (y.node.find(), x.offset, x.stride, 0, size, y.offset, y.stride)
            edge = Edge(*place, view=False, direction=x.direction)
            self._link(x.node.find(), edge)
        if size is None and a.stride == b.stride == 0:
            self._again(self._copied.join(a.node.find(), b.node.find(), a.offset - b.offset))

    def _again(self, nodes: list[Node]) -> None:
        """Carries pointers through copies of unknown size once more: these lead round in a circle, so that they repeat.

        Other edges carry what is known already: nodes with thousands of them are common in large heaps.
        """
        for node in dict.fromkeys(n.find() for n in nodes):
            edges = [edge for edge in node.edges if edge.hi is None and not edge.view]
            for key, pointee in list(node.pointers()) if edges else ():
                for edge in edges:
                    self._carry(node, edge, key, pointee)

    def same(self, a: Node, b: Node) -> None:
        """Enters that the two nodes are the same bytes."""
        if a.find() is not b.find():
            self._merges.append((a, b))

    def _link(self, node: Node, edge: Edge) -> None:
        if edge in node.edges:
            return
        node.edges[edge] = None
        if edge.view:
            edge.target.viewers[node, edge] = None
            self._new_views[node] = None
            if node.external:
                self.mark_external(edge.target)
        if not edge.view:
            self._mark_copied(node)
        elif node.copied:
            self._mark_copied(edge.target)
        self._linked += len(node.facts)
        self._stop_at_most(node)
        for key, pointee in list(node.facts.items()):
            if edge.view or pointee is not None:
                self._carry(node, edge, key, pointee)

    def _mark_copied(self, node: Node) -> None:
        """Enters that there are copies of the node, and so of all that it is a view of."""
        work = [node]
        while work:  # ends at nodes that an earlier walk has marked
            node = work.pop().find()
            if not node.copied:
                node.copied = True
                work.extend(node.viewed())

    def mark_external(self, node: Node) -> None:
        """Enters that code which is not analysed may access the node, and all that can be reached from it."""
        work = [node]
        while work:  # ends at nodes that an earlier walk has marked
            node = work.pop().find()
            if node.external:
                continue
            node.external = True
            work.extend(node.reached())

    # -- solving

    def solve(self) -> None:
        """Merges nodes and carries facts until nothing changes."""
        while self._work or self._merges or self._new_views:
            if not self._work or len(self._new_views) > _MANY_NEW_VIEWS:
                self._join_views()
            while self._merges:
                a, b = self._merges.pop()
                self._merge(a.find(), b.find())
            if self._work:
                self._steps += 1
                node, key = self._work.pop()
                # a merged node's facts were entered into the node that stands for it
                if node.parent is None and key in node.facts:
                    pointee = node.facts[key]
                    self.carried += len(node.edges)
                    self._stop_at_most(node)
                    for edge in list(node.edges):
                        if edge.view or pointee is not None:  # most edges of most facts are left out here
                            self._carry(node, edge, key, pointee)

    def _stop_at_most(self, node: Node) -> None:
        """Raises EnzymeError if too many facts are carried. `node`: the last from which some were."""
        if self.carried + self._linked > MOST_CARRIED:
            raise EnzymeError.of(
                "EZ0904",
                "type analysis does not come to its end",
                function=node.function,
                reason=f"it carried {MOST_CARRIED:,} facts from place to place; the last place is {node.described}",
            )

    def _join_views(self) -> None:
        """Merges views that lead to each other at the same offset: phis of loops, lists that are walked through."""
        known: dict[Node, bool] = {}
        for start in dict.fromkeys(node.find() for node in self._new_views):
            for together in strongly_connected(start, _viewed_at_0, known):
                known.update(dict.fromkeys(together, True))
                self._merges += [(together[0], other) for other in together[1:]]
        self._new_views = {}

    def _carry(self, node: Node, edge: Edge, key: FactKey, pointee: Node | None) -> None:
        """Carries a fact along an edge. Along copies only pointers are carried: queries follow copies."""
        offset, stride, end, tag = key
        if isinstance(tag, Hint) and ((edge.hi is not None and edge.hi <= 16) or tag.exceeds(edge.src_stride)):
            return  # a struct's declaration says nothing of a word, or of an inner array's element, that is copied out
        carried = edge.carry(offset, stride, end, tag.size)
        if carried is None:
            return
        to, step, stop = carried
        reach = 0 if pointee is None else node.reach.get(key, 0) | edge.reach
        target = edge.target.find()
        if edge.hi is None:
            if target is node and to != offset:  # the fact moves by the same distance again and again
                reach |= (BACK if to < offset else 0) if edge.view else BACK | ON
                to, step, stop = min(offset, to), gcd(step, stride, to - offset), None
            period = 0 if edge.view else self._copied.period(node)
            if period:
                to, step, stop = edge.dst + (to - edge.dst) % period, gcd(step, period), None
                reach |= BACK | ON
        self._add(target, to, step, stop, tag, pointee, reach)

    def _merge(self, a: Node, b: Node) -> None:
        if a is b:
            return
        if len(a.facts) + len(a.edges) < len(b.facts) + len(b.edges):
            a, b = b, a
        b.parent = a
        self._merge_properties(a, b)
        self._again(self._copied.join(a, b, 0))
        a.viewers.update(b.viewers)
        for edge in b.edges:
            is_own_view = edge.view and edge.target.find() is a and edge.dst == 0 and edge.dst_stride == 0
            if not is_own_view:
                self._link(a, edge._replace(target=edge.target.find()))
        for key, pointee in b.facts.items():
            self._add(a, *key, pointee, b.reach.get(key, 0))
        if b.copied:
            self._mark_copied(a)
        b.clear()

    def _merge_properties(self, a: Node, b: Node) -> None:
        a.label = a.label or b.label
        a.function = a.function or b.function
        a.is_register = a.is_register or b.is_register
        a.integers = None if a.integers is None or b.integers is None else a.integers | b.integers
        a.is_text = a.is_text and b.is_text
        if a.external != b.external:  # what the other one reaches is marked: one node may take in thousands, one by one
            further = (b if a.external else a).reached()
            a.external = b.external = True
            for node in further:
                self.mark_external(node)

    def unify_overlaps(self) -> bool:
        """Unifies what pointers point at whose offsets may coincide. Returns whether anything was new."""
        touched, self.touched = list(self.touched), {}
        for node in dict.fromkeys(n.find() for n in touched):
            entries = list(node.pointers())
            members = _members(node) if any(key[1] for key, _ in entries) else []
            extents = {key: _extent(node, key, members) for key, _ in entries}
            exact = {offset: pointee for (offset, stride, *_), pointee in entries if not stride}
            for key, pointee in entries:
                offset, stride = key[:2]
                if not stride:
                    self._same_pointee(pointee, exact[offset])  # accesses that differ in their alignment
                for other, target in entries if stride else ():
                    if pointee is target or (offset - other[0]) % gcd(stride, other[1]):
                        continue
                    if other[0] in extents[key] or offset in extents[other]:
                        self._same_pointee(pointee, target)
        return bool(self._merges)


def _viewed_at_0(node: Node) -> list[Node]:
    """Returns the nodes whose first byte is that of the node, which is a view of them."""
    return [e.target.find() for e in node.edges if e.view and not e.dst and not e.dst_stride]


def _covering_runs(node: Node, key: FactKey) -> list[FactKey]:
    """Returns facts with strides, mostly one, that together say what the given one would say. Empty: there are none."""
    offset, stride, end, tag = key
    arrays = node.strided.get(tag)
    if not arrays:
        return []
    for start, step, stop in arrays:
        within = stop is None or (offset + tag.size <= stop if stride == 0 else end is not None and end <= stop)
        if within and (offset >= start or start < -_FAR) and (offset - start) % step == 0 and stride % step == 0:
            return [(start, step, stop, tag)]
    return _endless_runs(_endless_starts(node, tag), key) if stride else []


def _endless_starts(node: Node, tag: Tags) -> dict[int, dict[int, int]]:
    """Returns the starts of the arrays of one tag without begin and end, by step and remainder."""
    starts: dict[int, dict[int, int]] = {}
    for start, step, _ in node.strided.get(tag, ()):
        if start < -_FAR:
            starts.setdefault(step, {})[start % step] = start
    return starts


def _endless_runs(endless: dict[int, dict[int, int]], key: FactKey) -> list[FactKey]:
    """Returns arrays without begin and end that together hold all elements of an array; empty if some are missing.

    Their steps may differ: two arrays of step 16 hold what one of step 8 does.
    """
    offset, stride, _, tag = key
    common = lcm(*endless)
    if not endless or common > _MOST_RESTS:
        return []
    runs: dict[FactKey, None] = {}
    for rest in _rests(offset, stride, common):
        found = next(((starts[rest % step], step) for step, starts in endless.items() if rest % step in starts), None)
        if found is None:
            return []
        runs[(*found, None, tag)] = None
    return list(runs)


def _rests(offset: int, stride: int, step: int) -> list[int]:
    """Returns the remainders by `step` of all offset + k·stride."""
    common = gcd(stride, step)
    return list(range(offset % common, step, common))


def _members(node: Node) -> list[tuple[int, int]]:
    """Returns the extents of members of declared structs that may be arrays of pointers.

    TBAA does not list arrays: they lie in gaps. An array at the struct's first byte does not count: a pointer to it may
    be one to the whole struct.
    """
    extents: set[tuple[int, int]] = set()
    for offset, stride, _, tag in node.facts:
        if isinstance(tag, Hint) and not stride and not tag.period:
            end = 0
            for at, size, kind in tag.regions:
                if at > end:
                    extents.add((offset + (end or 1), offset + at))
                if kind is Kind.UNKNOWN or (kind is Kind.POINTER and size > POINTER_TAG.size):
                    extents.add((offset + (at or 1), offset + at + size))
                end = max(end, at + size)
    return sorted(extents)


def _extent(node: Node, array: FactKey, members: list[tuple[int, int]]) -> range:
    """Returns the offsets at which pointers of an array may lie; none for a single pointer.

    The array ends with the member of a struct that it lies in, unless words are moved to or from it.
    """
    first, stride, _, _ = array
    if not stride:
        return range(0)
    reach = node.reach.get(array, 0)
    around = [] if reach & ON else [(start, end) for start, end in members if start <= first < end]
    low = min((start for start, _ in around), default=-_BEYOND) if reach & BACK else first
    return range(low, max((end for _, end in around), default=_BEYOND))


def _aligned(offset: int, stride: int, tag: Tag) -> tuple[int, int]:
    """Returns offset and stride, which is at least the alignment."""
    return (offset, element_step(abs(stride), tag)) if stride else (offset, 0)
