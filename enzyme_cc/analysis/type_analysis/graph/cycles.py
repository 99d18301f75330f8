"""Cycles of views, and connected parts of the graph. Each is found once for each node of the solved graph.

A pointer that walks through an array is a view of itself at another offset. The places that it reaches repeat after the
*period* of the strongly connected component of views: the gcd of the lengths of all cycles.
"""

from __future__ import annotations

from collections import deque
from functools import cached_property
from math import gcd
from typing import NamedTuple

from msgspec import Struct

from ....ir.graphs import reachable, strongly_connected
from ...integers.signs import Direction
from ..kinds import FLOATS, Kind, Tag, natural_alignment
from .graph_nodes import Node

_CARRIED = FLOATS | {Kind.POINTER}


#: the views of a cycle with more nodes than this are asked together: each of their places would lead to all of them
_MANY_VIEWS = 64


class ViewCycle(Struct, eq=False, dict=True):
    """Views that lead to each other, as one node: byte x of it is byte x + `members`[node] of each of them.

    All its bytes repeat after `period`. The length of one way round says nothing sure, so no place in it is sure.
    """

    members: dict[Node, int]
    period: int

    @cached_property
    def external(self) -> bool:
        """True if code that is not analysed may access it."""
        return any(node.external for node in self.members)


class Connected(NamedTuple):
    """What is known of connected nodes together.

    `is_packed`: numbers, or pointers beside them, lie at other places than multiples of their alignment. `is_external`:
    code that is not analysed may access one of them.
    """

    kinds: frozenset[Kind]
    is_packed: bool
    is_external: bool


def _holds_packed(node: Node) -> bool:
    """Returns whether something is not at a multiple of its alignment. Objects that were made here begin at one.

    A pointer that is accessed at its alignment lies at such a place, though another view of the memory may not show it.
    """
    found = ((at, step, tag) for at, step, _, tag in node.facts if isinstance(tag, Tag) and tag.kind in _CARRIED)
    is_object = not (node.is_register or node.external or node.viewed())
    return any(
        tag.is_packed or (_may_lie_anywhere(tag) and _is_apart(tag, at * is_object, step)) for at, step, tag in found
    )


def _may_lie_anywhere(tag: Tag) -> bool:
    return tag.kind is not Kind.POINTER or tag.is_loose


def _is_apart(tag: Tag, at: int, step: int) -> bool:
    return gcd(step, at) % natural_alignment(tag) != 0


class Cycles:
    """Answers about a graph that does not change any more."""

    def __init__(self) -> None:
        self._periods: dict[Node, int] = {}
        self._components: dict[Node, int] = {}
        self._members: dict[int, list[Node]] = {}
        self._forwards: set[int] = set()
        self._rounds: dict[tuple[Node, bool], list[tuple[Node, int]]] = {}
        self._contents: dict[Node, Connected] = {}
        self._large: dict[int, ViewCycle] = {}

    def large(self, node: Node) -> ViewCycle | None:
        """Returns the node's cycle if it has many nodes. `period` must have been asked of the node."""
        number = self._components[node]
        members = self._members.get(number, [])
        if len(members) > _MANY_VIEWS and number not in self._large:
            places = dict(self.round(members[0], upward=False))
            self._large[number] = ViewCycle(places, self._periods[node])
        return self._large.get(number)

    def period(self, node: Node) -> int:
        """Returns after how many bytes the places that the node's component views repeat; 0 if they do not."""
        if node not in self._components:
            for members in strongly_connected(node, Node.viewed, self._components):
                self._enter_component(members)
        return self._periods.get(node, 0)

    @property
    def known(self) -> int:
        """The number of nodes whose period is known."""
        return len(self._components)

    def together(self, a: Node, b: Node) -> bool:
        """Returns whether views lead from each node to the other. `period` must have been asked of both."""
        return self._components[a] == self._components[b]

    def goes_forwards(self, node: Node) -> bool:
        """Returns whether no pointer of the node's component walks back. `period` must have been asked of the node."""
        return self._components[node] in self._forwards

    def round(self, node: Node, upward: bool) -> list[tuple[Node, int]]:
        """Returns all nodes of the component, each with the offset at which views from byte 0 of the node reach it.

        `upward`: the other way round, from the nodes that view it.
        """
        found = self._rounds.get((node, upward))
        if found is None:
            found = self._rounds[node, upward] = self._walk(node, upward)
        return found

    def _walk(self, node: Node, upward: bool) -> list[tuple[Node, int]]:
        near: dict[Node, list[tuple[Node, int]]] = {}
        for member in self._members[self._components[node]]:
            for edge in member.views():
                target = edge.target.find()
                if self.together(target, member):
                    start, end, distance = (target, member, -edge.dst) if upward else (member, target, edge.dst)
                    near.setdefault(start, []).append((end, distance))
        places = {node: 0}
        work = deque([node])
        while work:  # in `places`: the distance of each node from the first
            node = work.popleft()
            for other, distance in near[node]:
                if other not in places:
                    places[other] = places[node] + distance
                    work.append(other)
        return list(places.items())

    def kinds(self, node: Node) -> frozenset[Kind]:
        """Returns the kinds of all accesses to nodes that edges connect with this one, in either direction."""
        return self.contents(node).kinds

    def contents(self, node: Node) -> Connected:
        """Returns what is known of all nodes that edges connect with this one. It is one object for all of them."""
        found = self._contents.get(node)
        if found is None:
            nodes = list(reachable([node], lambda n: () if n.ends_walks else n.neighbours()))
            kinds = frozenset(t.kind for n in nodes for _, _, _, t in n.facts if isinstance(t, Tag))
            is_packed = not kinds.isdisjoint(FLOATS) and any(map(_holds_packed, nodes))
            found = Connected(kinds, is_packed, any(node.external for node in nodes))
            self._contents.update((n, found) for n in nodes if n is node or not n.ends_walks)
        return found

    def _enter_component(self, members: list[Node]) -> None:
        """Computes the period of a strongly connected component, whose nodes are in order of discovery."""
        number = len(self._components)
        self._components.update(dict.fromkeys(members, number))
        inside = set(members)
        places = {members[0]: 0}
        work = [members[0]]
        period, goes_forwards = 0, True
        while work:  # in `places`: the distance of each node from the first
            node = work.pop()
            for edge in node.views():
                target = edge.target.find()
                if target not in inside:
                    continue
                if target not in places:
                    places[target] = places[node] + edge.dst
                    work.append(target)
                period = gcd(period, places[node] + edge.dst - places[target], edge.dst_stride)
                goes_forwards &= edge.dst >= 0 and (edge.direction is Direction.FORWARDS or not edge.dst_stride)
        if goes_forwards:
            self._forwards.add(number)
        if period:
            self._members[number] = members
            self._periods.update(dict.fromkeys(members, period))
