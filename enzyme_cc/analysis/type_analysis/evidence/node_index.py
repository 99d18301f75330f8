"""The edges of a node, indexed by the words that they concern, and its facts. A pool, or a large cycle, is one node."""

from __future__ import annotations

from ..graph.condensed import Condensed, words_of_copy
from ..graph.cycles import ViewCycle
from ..graph.graph_nodes import Edge, Node
from ..graph.pools import MovingPool, Way
from .fact_index import FactIndices
from .places import Place


class NodeIndex:
    """Facts and edges of one node, of a pool, or of a large cycle, indexed by the 8-byte words that they concern."""

    def __init__(self, node: Node | MovingPool | ViewCycle, graph: Condensed, facts: FactIndices) -> None:
        members = {node: 0} if isinstance(node, Node) else node.members
        self.views = [] if isinstance(node, MovingPool) else _views_out_of(members, graph)
        self.viewers: list[Way] = []
        self._viewers_at: dict[int, list[Way]] = {}
        self._other_viewers: list[Way] = []
        self.copies: list[Edge] = []
        self._copies_at: dict[int, list[Edge]] = {}
        self._other_copies: list[Edge] = []
        self.known = facts.of(members, graph)
        self._enter(members, graph, node if isinstance(node, MovingPool) else None)
        for edge in self.copies:
            self._sort_copy(edge)
        for way in self.viewers:
            self._sort_viewer(way, graph)

    def _enter(self, members: dict[Node, int], graph: Condensed, pool: MovingPool | None) -> None:
        for member, at in members.items():
            ways = graph.viewers(member)
            is_one = len(members) == 1 and not pool
            self.viewers += [(view, dst - at, stride) for view, dst, stride in ways if is_one or view not in members]
            copies = graph.copies(member)
            self.copies += [e._replace(src=e.src - at) for e in copies if e.hi is not None or not pool]
        if len(members) > 1:
            self.viewers, self.copies = list(dict.fromkeys(self.viewers)), list(dict.fromkeys(self.copies))

    def _sort_viewer(self, way: Way, graph: Condensed) -> None:
        words = graph.words_through(way)
        if words is None:
            self._other_viewers.append(way)
        for word in words or ():
            self._viewers_at.setdefault(word, []).append(way)

    def _sort_copy(self, edge: Edge) -> None:
        words = words_of_copy(edge)
        if words is None:
            self._other_copies.append(edge)
        else:
            for word in words:
                self._copies_at.setdefault(word, []).append(edge)

    def viewers_of(self, place: Place) -> list[Way]:
        """Returns the views of the node of which bytes of the place are copied."""
        words = _inner_words(place)
        if words is None or len(words) > len(self._viewers_at):
            return self.viewers
        found = [way for word in words for way in self._viewers_at.get(word, ())] + self._other_viewers
        return list(dict.fromkeys(found))

    def copies_of(self, place: Place) -> list[Edge]:
        words = _inner_words(place)
        if words is None or len(words) > len(self._copies_at):
            return self.copies
        found = [e for word in words for e in self._copies_at.get(word, ())]
        return (list(dict.fromkeys(found)) if len(words) > 1 else found) + self._other_copies


def _views_out_of(members: dict[Node, int], graph: Condensed) -> list[Way]:
    """Returns the ways to what the nodes view; if there are several, except to each other."""
    ways = ((way, at) for member, at in members.items() for way in graph.views(member))
    found = ((to, dst + at, stride) for (to, dst, stride), at in ways if len(members) == 1 or to not in members)
    return list(dict.fromkeys(found))


def _inner_words(place: Place) -> range | None:
    """Returns the words of the node that the place covers, without its margin; None if they are not a few."""
    if place.lo is None or place.hi is None or place.unsure or place.repeats:
        return None
    return place.words_without(place.margin)
