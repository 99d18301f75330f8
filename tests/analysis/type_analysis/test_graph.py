"""The graph of type analysis: facts flow along views and copies."""

from __future__ import annotations

from enzyme_cc.analysis.type_analysis.graph.cycles import Cycles
from enzyme_cc.analysis.type_analysis.graph.graph_nodes import Edge, Handle, Node
from enzyme_cc.analysis.type_analysis.graph.points_to_graph import Graph
from enzyme_cc.analysis.type_analysis.kinds import POINTER_TAG, Kind, Tag

DOUBLE = Tag(Kind.DOUBLE, 8)


def copy(src: int, size: int, dst: int) -> Edge:
    return Edge(Node(), src, 0, 0, size, dst, 0, view=False)


def test_an_edge_carries_a_fact_that_lies_inside_of_it() -> None:
    assert copy(16, 8, 0).carry(16, 0, None, 8) == (0, 0, None)
    assert copy(16, 8, 0).carry(24, 0, None, 8) is None


def test_an_edge_carries_the_elements_of_a_run_that_lie_inside_of_it() -> None:
    assert copy(8, 32, 100).carry(0, 8, None, 8) == (100, 8, 132)


def test_an_object_knows_the_accesses_through_its_views() -> None:
    graph, block, view = Graph(), Node("block"), Node("view")
    graph.points(view, Handle(block, 16))
    graph.access(Handle(view, 8), DOUBLE)
    graph.solve()
    assert list(block.facts) == [(24, 0, None, DOUBLE)]


def test_copies_carry_facts_both_ways() -> None:
    graph, a, b = Graph(), Node("a"), Node("b")
    graph.copies(Handle(a), Handle(b, 40), 8)
    graph.access(Handle(a), DOUBLE)
    graph.solve()
    assert (40, 0, None, DOUBLE) in b.facts


def test_two_pointers_at_one_place_point_at_the_same() -> None:
    graph, memory, x, y = Graph(), Node("memory"), Node("x"), Node("y")
    for target in (x, y):
        graph.points(graph.pointee(Handle(memory), POINTER_TAG), Handle(target))
    graph.solve()
    view = graph.pointee(Handle(memory), POINTER_TAG)
    assert set(view.viewed()) == {x, y}


def test_what_external_memory_points_at_is_external() -> None:
    graph, memory, x = Graph(), Node("memory"), Node("x")
    graph.points(graph.pointee(Handle(memory), POINTER_TAG), Handle(x))
    graph.mark_external(memory)
    assert x.external


def test_a_pointer_that_walks_through_an_array_has_a_period() -> None:
    graph, array, view = Graph(), Node("array"), Node("view")
    graph.points(view, Handle(array))
    graph.points(view, Handle(view, 24))
    graph.solve()
    assert Cycles().period(view) == 24 and Cycles().period(array) == 0
