"""The edges of a node are found by the words that they concern."""

from __future__ import annotations

from enzyme_cc.analysis.type_analysis.evidence.fact_index import FactIndices
from enzyme_cc.analysis.type_analysis.evidence.node_index import NodeIndex
from enzyme_cc.analysis.type_analysis.evidence.places import Place
from enzyme_cc.analysis.type_analysis.graph.condensed import Condensed
from enzyme_cc.analysis.type_analysis.graph.graph_nodes import Handle, Node
from enzyme_cc.analysis.type_analysis.graph.points_to_graph import Graph


def copied_words(place: Place, node: Node) -> list[int]:
    condensed = Condensed()
    condensed.place(node)
    return [edge.src for edge in NodeIndex(node, condensed, FactIndices()).copies_of(place)]


def test_copies_of_a_word_are_found_without_those_of_others() -> None:
    node, graph = Node(), Graph()
    for at in (0, 8, 16):
        graph.copies(Handle(node, at), Handle(Node(), 0), 8)
    graph.solve()
    assert copied_words(Place(node, 8, 0, 0, 0, 8, False), node) == [8]
    assert copied_words(Place(node, 0, 0, 0, None, None, False), node) == [0, 8, 16]


def test_the_margin_of_a_place_is_not_looked_at() -> None:
    node, graph = Node(), Graph()
    for at in (0, 8, 16):
        graph.copies(Handle(node, at), Handle(Node(), 0), 8)
    graph.solve()
    assert copied_words(Place(node, 0, 0, 0, 0, 24, False, margin=8), node) == [8]
