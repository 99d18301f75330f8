"""Algorithms on graphs, on small ones written as a word of successors for each letter."""

from __future__ import annotations

from enzyme_cc.ir.graphs import Dominators, leads_to, reachable, reverse_postorder_from, strongly_connected

#: a leads to a circle of b, c and d, which leaves to e; f leads into it, but nothing leads to f
GRAPH = {"a": "b", "b": "ce", "c": "d", "d": "b", "e": "e", "f": "b", "g": ""}


def test_reachable_yields_each_node_once_last_successor_first() -> None:
    assert list(reachable("a", GRAPH.__getitem__)) == ["a", "b", "e", "c", "d"]
    assert list(reachable("ga", GRAPH.__getitem__)) == ["a", "b", "e", "c", "d", "g"]


def test_reachable_asks_for_successors_only_when_the_next_node_is_wanted() -> None:
    asked: list[str] = []

    def successors(node: str) -> str:
        asked.append(node)
        return GRAPH[node]

    assert any(node == "b" for node in reachable("a", successors))
    assert asked == ["a"]


def test_leads_to_keeps_its_answers() -> None:
    known: dict[str, bool] = {}
    looked_at: list[str] = []

    def is_e(node: str) -> bool:
        looked_at.append(node)
        return node == "e"

    on_the_way = {"a": True, "b": True, "e": True}
    assert leads_to("a", {**GRAPH, "e": ""}.__getitem__, is_e, known) and known == on_the_way
    assert not leads_to("g", GRAPH.__getitem__, is_e, known) and known == {**on_the_way, "g": False}
    looked_at.clear()
    assert leads_to("a", GRAPH.__getitem__, is_e, known) and not leads_to("g", GRAPH.__getitem__, is_e, known)
    assert not looked_at
    assert leads_to("f", GRAPH.__getitem__, is_e, known) and looked_at == ["f"]


def test_reverse_postorder_puts_a_node_before_its_successors_except_along_back_edges() -> None:
    assert reverse_postorder_from("a", GRAPH.__getitem__) == ["a", "b", "e", "c", "d"]


def test_strongly_connected_components_come_after_those_that_they_lead_to() -> None:
    done: set[str] = set()
    found: list[list[str]] = []
    for root in "af":
        for members in strongly_connected(root, GRAPH.__getitem__, done):
            done.update(members)
            found.append(members)
    assert found == [["e"], ["b", "c", "d"], ["a"], ["f"]]


def test_dominators_of_a_diamond_with_a_tail() -> None:
    predecessors = {"a": "", "b": "a", "c": "a", "d": "bc", "e": "d"}
    tree = Dominators("abcde", predecessors)
    assert tree.idom == {"a": "a", "b": "a", "c": "a", "d": "a", "e": "d"}
    assert tree.common("b", "e") == "a"
