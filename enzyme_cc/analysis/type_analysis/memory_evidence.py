"""The evidence about bytes in memory: collected once for each place and size, and weighed once."""

from __future__ import annotations

from collections.abc import Iterable

from .evidence.collected import Collector
from .evidence.collected_evidence import Collected, together
from .evidence.fields import Fields
from .evidence.layout import Undecided, is_disputed, make_layout
from .evidence.words import has_mixed_word, words
from .graph.graph_nodes import Handle, Node
from .kinds import Kind, Layout
from .points_to import PointsTo

#: up to this size, only evidence about the bytes of the query is collected
FEW_BYTES = 256


class MemoryEvidence:
    """What is known of the bytes at places in the graph."""

    def __init__(self, points_to: PointsTo) -> None:
        self.points_to = points_to
        self.fields = Fields()
        self._collector = Collector(self.fields)
        self._collected: dict[tuple[tuple[Handle, ...], int | None], Collected] = {}
        self._collected_here: dict[tuple[tuple[Handle, ...], int | None], Collected] = {}
        self._layouts: dict[tuple[int, int | None], Layout | None] = {}
        self._disputed: dict[tuple[int, int | None], bool] = {}
        self._mixed: dict[tuple[int, int | None], bool] = {}
        self._words: dict[tuple[tuple[int, ...], int | None, bool, bool, int], list[frozenset[Kind]]] = {}

    def at(self, places: Iterable[Handle], size: int | None = None) -> Collected:
        """Returns the evidence about so many bytes at the places; None: about all that lies there."""
        once = _once(places)
        found = self._collected.get((once, size))
        if found is None:
            found = self._collected[once, size] = self._collector.collect(once, size)
        return found

    def here(self, places: Iterable[Handle], size: int | None) -> Collected:
        """Returns a part of the evidence about the bytes. It is found at once, and may decide."""
        once, few = _once(places), few_bytes(size)
        found = self._collected_here.get((once, few))
        if found is None:
            found = self._collected_here[once, few] = self._collector.collect_here(once, few)
        return found

    def in_register(self, node: Node) -> Collected:
        return self.at([Handle(node)])

    # what is collected lives as long as this object: its id is unique

    def layout(self, found: Collected, size: int | None) -> Layout | None:
        """Returns the layout that the evidence makes; None if it cannot be told."""
        key = id(found), size
        if key not in self._layouts:
            try:
                self._layouts[key] = make_layout(found, size)
            except Undecided:
                self._layouts[key] = None
        return self._layouts[key]

    def is_disputed(self, found: Collected, size: int | None) -> bool:
        """Returns whether exact accesses exclude each other at one of so many bytes."""
        key = id(found), size
        if key not in self._disputed:
            self._disputed[key] = is_disputed(found, size)
        return self._disputed[key]

    def has_mixed_word(self, found: Collected, size: int | None) -> bool:
        """Returns whether the evidence tells that a word holds numbers at one time and pointers at another."""
        key = id(found), size
        if key not in self._mixed:
            self._mixed[key] = has_mixed_word(found, size)
        return self._mixed[key]

    def words(
        self, collected: list[Collected], size: int | None, integers: bool, cut: bool, first: int
    ) -> list[frozenset[Kind]]:
        """Returns what each word may hold by the evidence together (see `Contents.words`)."""
        key = tuple(map(id, collected)), size, integers, cut, first
        if key not in self._words:
            self._words[key] = words(together(collected), size, integers, cut, first)
        return self._words[key]


def few_bytes(size: int | None) -> int | None:
    """Returns the size if it is small enough to collect evidence about these bytes only."""
    return size if size is not None and size <= FEW_BYTES else None


def _once(handles: Iterable[Handle]) -> tuple[Handle, ...]:
    """Returns the handles, each once, with the nodes that merged nodes have become."""
    return tuple(dict.fromkeys(Handle(h.node.find(), h.offset, h.stride) for h in handles))
