"""Finds the objects that a pointer may point at, or else at another object, in a graph that does not change any more.

All nodes are asked about. So each answer is found once for a strongly connected component.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ....ir.graphs import strongly_connected
from .graph_nodes import Node


class Sharing:
    """Answers about one solved graph."""

    def __init__(self) -> None:
        self._objects: dict[Node, frozenset[Node | None]] = {}
        self._seen: dict[Node, bool] = {}
        self._seen_or_copied: dict[Node, bool] = {}

    def is_seen_with_others(self, node: Node) -> bool:
        """Returns whether some pointer may point at this object, or else at another."""
        return self._is_reached(node, _views, self._seen)

    def is_shared(self, node: Node) -> bool:
        """Returns whether some pointer may point at this object, or at a copy of its bytes, or else at another."""
        return self._is_reached(node, views_and_copies, self._seen_or_copied)

    def _is_reached(self, node: Node, successors: Callable[[Node], Iterable[Node]], known: dict[Node, bool]) -> bool:
        for members in strongly_connected(node, successors, known):
            further = (known.get(after, False) for member in members for after in successors(member))
            found = any(len(self._some_objects(member)) > 1 for member in members) or any(further)
            known.update(dict.fromkeys(members, found))
        return known[node]

    def _some_objects(self, node: Node) -> frozenset[Node | None]:
        """Returns two of the objects that a node is a view of, or all. None stands for external ones."""
        for members in strongly_connected(node, Node.viewed, self._objects):
            self._objects.update(dict.fromkeys(members, self._of_component(members)))
        return self._objects[node]

    def _of_component(self, members: list[Node]) -> frozenset[Node | None]:
        found: set[Node | None] = set()
        for node in members:
            viewed = node.viewed()
            if node.external or not viewed:
                found.add(None if node.external else node)
            for after in viewed:
                found.update(self._objects.get(after, ()))  # missing: a member of this component
            if len(found) > 1:
                break
        return frozenset(list(found)[:2])


def _views(node: Node) -> Iterator[Node]:
    return (view.find() for view, _ in node.viewers)


def views_and_copies(node: Node) -> Iterator[Node]:
    """Yields the views of a node, and the nodes that bytes are copied to or from."""
    yield from _views(node)
    yield from (edge.target.find() for edge in node.edges if not edge.view)
