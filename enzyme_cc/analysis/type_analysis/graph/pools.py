"""Pools: nodes between which data moves round in circles, by distances that do not add up to zero.

Copies of unknown size connect what two pointers view. If two ways between two nodes differ in length, data moves by the
difference, again and again: elements of an array are moved up and down, an allocator hands blocks out again. All bytes
of a pool at the same offset, modulo the pool's *period*, may hold the same data. A walk along the circles would visit
every offset, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from math import gcd
from typing import Protocol

from msgspec import Struct

from ....ir.graphs import reachable
from .graph_nodes import Edge, Node

#: pools of more nodes than this, whose data moves by less than a word, tell no words apart
_MANY_MEMBERS = 256
_WORD = 8

#: an edge of views from or to a node: the other node, the offset of the target, and its stride
Way = tuple[Node, int, int]


class Edges(Protocol):
    """The edges of a solved graph."""

    def views(self, node: Node) -> list[Way]:
        """Returns the ways to what the node is a view of."""

    def viewers(self, node: Node) -> list[Way]:
        """Returns the ways from views of the node of which there are copies."""

    def copies(self, node: Node) -> list[Edge]:
        """Returns the copies of the node."""


class MovingPool(Struct, eq=False, dict=True):
    """Byte x of the pool is byte x + `members`[node] of each node, and all of these repeat after `period` bytes.

    `start`: the copies that make the pool move no byte of it that lies before.
    """

    members: dict[Node, int]
    period: int
    start: int

    @cached_property
    def external(self) -> bool:
        """True if code that is not analysed may access it."""
        return any(node.external for node in self.members)

    @property
    def is_one_heap(self) -> bool:
        """True if anything may be at any place: a program keeps everything in blocks of one allocator."""
        return self.period < _WORD and len(self.members) > _MANY_MEMBERS


def pools_of(graph: Edges, nodes: Iterable[Node]) -> Iterator[MovingPool]:
    """Yields the pools among nodes that no edge connects with others."""
    moving = [node for node in nodes if any(edge.hi is None for edge in graph.copies(node))]
    moved = dict.fromkeys(reachable(moving, lambda node: [target for target, _, _ in graph.views(node)]))
    done: set[Node] = set()
    for node in moved:
        if node not in done and not node.ends_walks:
            members, period = _connected(graph, node, moved)
            done.update(members)
            if period:
                copies = ((edge, at) for member, at in members.items() for edge in graph.copies(member))
                yield MovingPool(members, period, min(edge.src - at for edge, at in copies if edge.hi is None))


def _connected(graph: Edges, first: Node, moved: dict[Node, None]) -> tuple[dict[Node, int], int]:
    """Returns the nodes that are connected with the first one, each with its distance, and the period."""
    places = {first: 0}
    work = [first]
    period = 0
    while work:
        node = work.pop()
        for other, distance, stride in _near(graph, node, moved):
            if other.ends_walks:
                continue
            if other not in places:
                places[other] = places[node] + distance
                work.append(other)
            period = gcd(period, stride, places[node] + distance - places[other])
    return places, period


def _near(graph: Edges, node: Node, moved: dict[Node, None]) -> Iterator[Way]:
    yield from graph.views(node)
    for viewer, dst, stride in graph.viewers(node):
        if viewer in moved:
            yield viewer, -dst, stride
    for edge in graph.copies(node):
        if edge.hi is None:
            yield edge.target, edge.dst - edge.src, gcd(edge.src_stride, edge.dst_stride)
