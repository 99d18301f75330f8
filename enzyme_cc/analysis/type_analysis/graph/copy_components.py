"""Nodes that copies of unknown size connect: a union-find in which each node has an offset to its root.

If two paths between nodes differ in length, data moves along by the difference, again and again. The component then
has that period.
"""

from __future__ import annotations

from math import gcd

from .graph_nodes import Node


class CopyComponents:
    """Components of nodes, with the offsets between their members and the period of each component."""

    def __init__(self) -> None:
        self._up: dict[Node, tuple[Node, int]] = {}
        self._periods: dict[Node, int] = {}
        self._members: dict[Node, list[Node]] = {}

    def _root(self, node: Node) -> tuple[Node, int]:
        """Returns the root, and the node's offset to it."""
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
        """Returns after how many bytes the component's data repeats; 0 if it does not."""
        return self._periods.get(self._root(node)[0], 0) if self._up or self._periods else 0

    def join(self, a: Node, b: Node, shift: int) -> list[Node]:
        """Enters that byte x of `b` is byte x + shift of `a`. Returns the component's nodes if its period changed."""
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
