"""Components of the graph of type analysis: nodes that copies connect, and objects that share pointers."""

from __future__ import annotations

from enzyme_cc.analysis.type_analysis.graph.copy_components import CopyComponents
from enzyme_cc.analysis.type_analysis.graph.graph_nodes import Handle, Node
from enzyme_cc.analysis.type_analysis.graph.points_to_graph import Graph
from enzyme_cc.analysis.type_analysis.graph.sharing import Sharing


def test_two_ways_of_different_length_make_a_period() -> None:
    a, b, c = Node("a"), Node("b"), Node("c")
    found = CopyComponents()
    assert found.join(a, b, 0) == []
    assert found.join(b, c, 8) == []
    assert found.period(c) == 0
    assert set(found.join(a, c, 32)) == {a, b, c}
    assert found.period(b) == 24


def test_two_ways_of_the_same_length_make_none() -> None:
    a, b, c = Node("a"), Node("b"), Node("c")
    found = CopyComponents()
    found.join(a, b, 8)
    found.join(b, c, 8)
    found.join(a, c, 16)
    assert found.period(a) == 0


def test_a_period_is_the_greatest_common_divisor_of_all_differences() -> None:
    a = Node("a")
    found = CopyComponents()
    found.join(a, a, 24)
    found.join(a, a, 16)
    assert found.period(a) == 8


def test_an_object_that_one_pointer_sees_beside_another_object_is_seen_with_others() -> None:
    graph, own, first, second = Graph(), Node("own"), Node("first"), Node("second")
    alone, either = Node("p"), Node("q")
    graph.points(alone, Handle(own))
    graph.points(either, Handle(first))
    graph.points(either, Handle(second))
    graph.solve()
    sharing = Sharing()
    assert sharing.is_seen_with_others(first)
    assert not sharing.is_seen_with_others(own)
