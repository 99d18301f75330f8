"""Components of the graph of type analysis: nodes that copies connect, and objects that share pointers."""

from __future__ import annotations

from enzyme_cc.analysis.type_analysis.graph.copy_components import CopyComponents
from enzyme_cc.analysis.type_analysis.graph.graph_nodes import Edge, Handle, Node
from enzyme_cc.analysis.type_analysis.graph.points_to_graph import Graph
from enzyme_cc.analysis.type_analysis.graph.pools import pools_of
from enzyme_cc.analysis.type_analysis.graph.sharing import Sharing
from enzyme_cc.analysis.type_analysis.graph.targets import Targets


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


def test_a_view_may_be_the_functions_that_it_leads_to() -> None:
    graph, function, view = Graph(), Node("f"), Node("pointer")
    function.function = "@f"
    graph.points(view, Handle(function))
    graph.solve()
    assert Targets().of(view) == (frozenset(["@f"]), True)


def test_a_view_of_external_memory_may_be_more() -> None:
    view = Node("pointer")
    view.external = True
    assert Targets().of(view) == (frozenset(), False)


class Copied:
    """Edges of a graph whose nodes are copied to each other, all of unknown size."""

    def __init__(self, *edges: tuple[Node, int, Node, int]) -> None:
        self._edges: dict[Node, list[Edge]] = {}
        for node, src, target, dst in edges:
            self._edges.setdefault(node, []).append(Edge(target, src, 0, 0, None, dst, 0, view=False))

    def views(self, node: Node) -> list[tuple[Node, int, int]]:
        return []

    def viewers(self, node: Node) -> list[tuple[Node, int, int]]:
        return []

    def copies(self, node: Node) -> list[Edge]:
        return self._edges.get(node, [])


def test_data_that_moves_in_a_circle_of_another_length_is_one_pool() -> None:
    a, b = Node("a"), Node("b")
    (pool,) = pools_of(Copied((a, 0, b, 0), (b, 0, a, 24)), [a, b])
    assert (pool.period, set(pool.members)) == (24, {a, b})


def test_data_that_comes_back_to_where_it_was_is_none() -> None:
    a, b = Node("a"), Node("b")
    assert not list(pools_of(Copied((a, 0, b, 8), (b, 8, a, 0)), [a, b]))
