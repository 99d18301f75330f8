"""Finds the functions that a pointer may be, in the graph as it is at the time."""

from __future__ import annotations

from ....ir.graphs import strongly_connected
from .graph_nodes import Node


class Targets:
    """Answers about one state of the graph. Each is found once for all nodes of a component of views."""

    def __init__(self) -> None:
        self._found: dict[Node, tuple[frozenset[str], bool]] = {}

    def of(self, node: Node) -> tuple[frozenset[str], bool]:
        """Returns the functions that a view may be, and whether these are all."""
        for members in strongly_connected(node.find(), Node.viewed, self._found):
            self._found.update(dict.fromkeys(members, self._of_component(members)))
        return self._found[node.find()]

    def _of_component(self, members: list[Node]) -> tuple[frozenset[str], bool]:
        names = {node.function for node in members if node.function is not None}
        complete = True
        for node in members:
            views = node.viewed()
            if node.external and not views and node.function is None:
                complete = False
            for view in views:
                further, all_known = self._found.get(view, (frozenset(), True))  # missing: a member of this component
                names |= further
                complete = complete and all_known
        return frozenset(names), complete
