"""Merges and walks of the graph take time in proportion to what they add, also at nodes that thousands lead to."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.type_analysis.constraints.moved_elements import MovedElements
from enzyme_cc.analysis.type_analysis.graph.graph_nodes import Handle, Node
from enzyme_cc.analysis.type_analysis.graph.points_to_graph import Graph
from tests.analysis.support import Analysed, compile_c


def _edges_looked_at(n: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Returns how many edges are looked at if n nodes that others may access become one with a view of n objects."""
    graph, hub, others, looked_at = Graph(), Node("hub"), [Node(f"other {k}") for k in range(n)], 0
    for k in range(n):
        graph.points(hub, Handle(Node(f"object {k}"), offset=8))
    graph.solve()
    viewed = Node.viewed

    def counted(node: Node) -> list[Node]:
        nonlocal looked_at
        looked_at += len(node.edges)
        return viewed(node)

    with monkeypatch.context() as patched:
        patched.setattr(Node, "viewed", counted)
        for k, other in enumerate(others):
            if k % 2:
                graph.mark_external(other)
            graph.same(hub, other)
        graph.solve()
    assert hub.find().external
    assert all(node.external for node in hub.find().viewed())
    return looked_at


def test_a_node_that_takes_in_others_is_not_walked_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _edges_looked_at(90, monkeypatch) < 3.5 * _edges_looked_at(30, monkeypatch)


_MOVED = """
double f(double *x, void **p, void **q, void **other, long *n) {
  CALLS
  return x[0];
}
"""


def _nodes_asked(n: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Returns how many nodes are asked what they view, where a pointer to what is moved goes on n times, or not."""
    moves = " ".join(f"p = n[{k}] ? p + 1 : other; *p = *q; q = n[{k}] > 1 ? q + 1 : p;" for k in range(n))
    asked, viewed = 0, Node.viewed

    def counted(node: Node) -> list[Node]:
        nonlocal asked
        asked += is_entering
        return viewed(node)

    is_entering, enter = False, MovedElements.enter

    def entering(self: MovedElements) -> bool:
        nonlocal is_entering
        is_entering = True
        try:
            return enter(self)
        finally:
            is_entering = False

    with monkeypatch.context() as patched:
        patched.setattr(Node, "viewed", counted)
        patched.setattr(MovedElements, "enter", entering)
        assert Analysed(compile_c(_MOVED.replace("CALLS", moves)), ["@f"]).types
    return asked


def test_what_pointers_are_moved_through_is_walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _nodes_asked(24, monkeypatch) < 3.5 * _nodes_asked(8, monkeypatch)
