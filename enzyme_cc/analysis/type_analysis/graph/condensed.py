"""The solved graph with views taken together that are the same bytes, and the words of each node that are copied.

Most nodes are views with one target: arguments of functions that are called once, results, pointers that are stored and
loaded again. All that is known of such a view is known of its target, and queries about either have the same answer.
So have views with the same targets at the same offsets.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....ir.graphs import reachable, strongly_connected
from .graph_nodes import Edge, Node
from .pools import MovingPool, Way, pools_of
from .sharing import Sharing

#: longer copies count as copies of all words, and so do copies of more words than this together
_MANY_WORDS = 64

#: numbers of 8-byte words; None stands for all words
Words = frozenset[int] | None


class Condensed:
    """Answers about a graph that does not change any more. Nodes stand for those that are the same bytes."""

    def __init__(self) -> None:
        self._places: dict[Node, tuple[Node, int]] = {}
        self._members: dict[Node, list[tuple[Node, int]]] = {}
        self._alike: dict[frozenset[Way], Node] = {}
        self._viewers: dict[Node, list[Way]] = {}
        self._words: dict[Node, Words] = {}
        self._pools: dict[Node, MovingPool] = {}
        self.sharing = Sharing()

    def place(self, node: Node) -> tuple[Node, int]:
        """Returns the node that stands for this one, and the place of its byte 0 there."""
        if node not in self._places:
            found = list(reachable([node], Node.neighbours))
            for start in found:
                for together in strongly_connected(start, Node.viewed, self._places):
                    self._places.update(self._place_of(together))
            for other in found:
                root, at = self._places[other]
                self._members.setdefault(root, []).append((other, at))
            for pool in pools_of(self, dict.fromkeys(self._places[other][0] for other in found)):
                self._pools.update(dict.fromkeys(pool.members, pool))
        return self._places[node]

    def _place_of(self, together: list[Node]) -> dict[Node, tuple[Node, int]]:
        node = together[0]
        if len(together) > 1 or node in node.viewed():
            return {node: (node, 0) for node in together}
        ways = self.views(node)
        if not ways or any(stride for _, _, stride in ways):
            return {node: (node, 0)}
        if len(ways) == 1:
            return {node: ways[0][:2]}
        return {node: (self._alike.setdefault(frozenset(ways), node), 0)}

    def pool(self, node: Node) -> MovingPool | None:
        """Returns the pool that the node belongs to."""
        return self._pools.get(node)

    # -- edges

    def views(self, node: Node) -> list[Way]:
        """Returns the ways to what the node is a view of."""
        return list(dict.fromkeys(self._way(edge, self._place_in(node, edge)) for edge in node.views()))

    def _place_in(self, node: Node, edge: Edge) -> tuple[Node, int]:
        target = edge.target.find()
        return self._places.get(target, (target, 0))  # missing: on a cycle with the node

    @staticmethod
    def _way(edge: Edge, place: tuple[Node, int]) -> Way:
        return place[0], edge.dst + place[1], edge.dst_stride

    def viewers(self, node: Node) -> list[Way]:
        """Returns the ways from views of the node of which there are copies."""
        found = self._viewers.get(node)
        if found is None:
            ways = () if node.ends_walks else self._ways_to(node)
            found = self._viewers[node] = list(dict.fromkeys(ways))
        return found

    def _ways_to(self, node: Node) -> Iterator[Way]:
        for member, at in self._members[node]:
            for viewer, edge in member.viewers if member.copied else ():
                view = viewer.find()
                other, distance = self._places[view]
                if view.copied and other is not node:
                    yield other, edge.dst + at - distance, edge.dst_stride

    def copies(self, node: Node) -> list[Edge]:
        """Returns the copies of the node."""
        return [] if node.ends_walks else list(dict.fromkeys(self._copies(node)))

    def _copies(self, node: Node) -> Iterator[Edge]:
        for member, at in self._members[node]:
            for edge in member.edges:
                if not edge.view:
                    target, distance = self._places[edge.target.find()]
                    yield edge._replace(target=target, src=edge.src + at, dst=edge.dst + distance)

    # -- words that are copied

    def words_through(self, way: Way) -> Words:
        """Returns the words of the target of which there are copies through the view at the other end of the way."""
        viewer, dst, stride = way
        words = self._copied_words(viewer)
        if words is None or (words and stride):
            return None
        if dst % 8 == 0:
            return frozenset(word + dst // 8 for word in words)
        return frozenset(w for word in words for w in ((8 * word + dst) >> 3, (8 * word + 7 + dst) >> 3))

    def _copied_words(self, node: Node) -> Words:
        """Returns the words of the node of which there are copies, of the node itself or of a view of it."""
        for together in strongly_connected(node, self._viewing, self._words):
            words = self._own_words(together[0]) if len(together) == 1 else None
            self._words.update(dict.fromkeys(together, words))
        return self._words[node]

    def _viewing(self, node: Node) -> list[Node]:
        return [viewer for viewer, _, _ in self.viewers(node)]

    def _own_words(self, node: Node) -> Words:
        found: set[int] = set()
        for words in (*map(words_of_copy, self._copies(node)), *map(self.words_through, self.viewers(node))):
            if words is None:
                return None
            found.update(words)
        return frozenset(found) if len(found) <= _MANY_WORDS else None


def words_of_copy(edge: Edge) -> range | None:
    """Returns the words of the source that a copy copies; None if these are not a few known ones."""
    if edge.src_stride or edge.lo is None or edge.hi is None or edge.hi - edge.lo > 8 * _MANY_WORDS:
        return None
    return range((edge.src + edge.lo) >> 3, (edge.src + edge.hi + 7) >> 3)
