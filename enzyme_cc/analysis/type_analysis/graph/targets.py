"""Which functions a pointer may be, as far as the graph of type analysis has come."""

from __future__ import annotations

from ....ir.graphs import strongly_connected
from .cycles import viewed
from .points_to_graph import Node


class Targets:
    """Answers for one state of the graph, each found once for all nodes that views lead to."""

    def __init__(self) -> None:
        self._found: dict[Node, tuple[frozenset[str], bool]] = {}

    def of(self, node: Node) -> tuple[frozenset[str], bool]:
        """Functions that a view may be, and whether these are all."""
        for members in strongly_connected(node.find(), viewed, self._found):
            self._found.update(dict.fromkeys(members, self._of_component(members)))
        return self._found[node.find()]

    def _of_component(self, members: list[Node]) -> tuple[frozenset[str], bool]:
        names = {node.function for node in members if node.function is not None}
        complete = True
        for node in members:
            views = viewed(node)
            if node.external and not views and node.function is None:
                complete = False
            for view in views:
                further, all_known = self._found.get(view, (frozenset(), True))  # none: of this very component
                names |= further
                complete = complete and all_known
        return frozenset(names), complete
