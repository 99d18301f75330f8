"""Views that lead back to themselves, and what is connected at all: found once for each node of the solved graph.

A pointer that walks through an array points into itself, some bytes further on: its places repeat after the gcd of the
lengths of all such ways, the *period* of a strongly connected component (Tarjan 1972) of views.
"""

from __future__ import annotations

from collections import deque
from math import gcd

from ....ir.graphs import strongly_connected
from ..kinds import Kind, Tag
from .points_to_graph import Edge, Node


class Cycles:
    """Answers for the nodes of a graph that does not change any more."""

    def __init__(self) -> None:
        self._periods: dict[Node, int] = {}
        self._components: dict[Node, int] = {}
        self._members: dict[int, list[Node]] = {}
        self._rounds: dict[tuple[Node, bool], list[tuple[Node, int]]] = {}
        self._kinds: dict[Node, frozenset[Kind]] = {}

    def period(self, node: Node) -> int:
        """After how many bytes the places that views of the node's component lead to repeat; 0 if they do not."""
        for members in strongly_connected(node, viewed, self._components):
            self._close(members)
        return self._periods.get(node, 0)

    def together(self, a: Node, b: Node) -> bool:
        """Whether views lead from each to the other. Both have been asked for their periods."""
        return self._components[a] == self._components[b]

    def round(self, node: Node, upward: bool) -> list[tuple[Node, int]]:
        """All nodes of the component, each with where views first lead to from byte 0 of the node (or from where)."""
        found = self._rounds.get((node, upward))
        if found is None:
            found = self._rounds[node, upward] = self._walk(node, upward)
        return found

    def _walk(self, node: Node, upward: bool) -> list[tuple[Node, int]]:
        near: dict[Node, list[tuple[Node, int]]] = {}
        for member in self._members[self._components[node]]:
            for edge in _views(member):
                target = edge.target.find()
                if self.together(target, member):
                    start, end, distance = (target, member, -edge.dst) if upward else (member, target, edge.dst)
                    near.setdefault(start, []).append((end, distance))
        places = {node: 0}
        work = deque([node])
        while work:
            node = work.popleft()
            for other, distance in near[node]:
                if other not in places:
                    places[other] = places[node] + distance
                    work.append(other)
        return list(places.items())

    def kinds(self, node: Node) -> frozenset[Kind]:
        """Kinds of all that is known of any node that edges connect with this one."""
        found = self._kinds.get(node)
        if found is None:
            nodes = _connected(node)
            found = frozenset(t.kind for n in nodes for _, _, _, t in n.facts if isinstance(t, Tag))
            self._kinds.update(dict.fromkeys(nodes, found))
        return found

    def _close(self, members: list[Node]) -> None:
        """All nodes of one strongly connected component, in the order in which they were found."""
        number = len(self._components)
        self._components.update(dict.fromkeys(members, number))
        inside = set(members)
        places = {members[0]: 0}
        work = [members[0]]
        period = 0
        while work:
            node = work.pop()
            for edge in _views(node):
                target = edge.target.find()
                if target not in inside:
                    continue
                if target not in places:
                    places[target] = places[node] + edge.dst
                    work.append(target)
                period = gcd(period, places[node] + edge.dst - places[target], edge.dst_stride)
        if period:
            self._members[number] = members
            self._periods.update(dict.fromkeys(members, period))


def viewed(node: Node) -> list[Node]:
    return [edge.target.find() for edge in node.edges if edge.view]


def _views(node: Node) -> list[Edge]:
    return [edge for edge in node.edges if edge.view]


def _connected(node: Node) -> set[Node]:
    seen = {node}
    work = [node]
    while work:
        node = work.pop()
        near = [edge.target.find() for edge in node.edges] + [view.find() for view, _ in node.viewers]
        for other in near:
            if other not in seen:
                seen.add(other)
                work.append(other)
    return seen


__all__ = ["Cycles", "viewed"]
