"""The minimum vertex cut against trying all sets of nodes."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from enzyme_cc.analysis.storage.mincut import minimum_vertex_cut

Graph = dict[int, list[int] | None]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Graph, dict[int, int], list[int]]:
    """A need is computed from needs of smaller number, or (None) can only be stored."""
    count = draw(st.integers(1, 8))
    graph: Graph = {}
    for node in range(count):
        inputs = draw(st.one_of(st.none(), st.lists(st.integers(0, node - 1), max_size=3)) if node else st.none())
        graph[node] = inputs if inputs or node else None
    cost = {node: draw(st.integers(1, 20)) for node in graph}
    wanted = draw(st.lists(st.sampled_from(sorted(graph)), min_size=1, max_size=4, unique=True))
    return graph, cost, wanted


def is_enough(graph: Graph, stored: set[int], wanted: list[int]) -> bool:
    """Whether everything wanted is stored, or computed from what is."""

    def found(node: int) -> bool:
        inputs = graph[node]
        return node in stored or (inputs is not None and all(map(found, inputs)))

    return all(map(found, wanted))


def cheapest(graph: Graph, cost: dict[int, int], wanted: list[int]) -> int:
    sets = (set(c) for size in range(len(graph) + 1) for c in combinations(graph, size))
    return min(sum(cost[n] for n in s) for s in sets if is_enough(graph, s, wanted))


@given(graphs())
def test_it_is_enough_and_no_set_is_cheaper(case: tuple[Graph, dict[int, int], list[int]]) -> None:
    graph, cost, wanted = case
    cut = set(minimum_vertex_cut(graph, cost, wanted))
    assert is_enough(graph, cut, wanted)
    assert sum(cost[n] for n in cut) == cheapest(graph, cost, wanted)


def test_one_source_of_many_is_stored_alone() -> None:
    graph: Graph = {0: None, 1: [0], 2: [0], 3: [1, 2]}
    assert set(minimum_vertex_cut(graph, {0: 8, 1: 8, 2: 8, 3: 8}, [1, 2, 3])) == {0}


def test_a_narrow_result_is_stored_and_not_its_wide_inputs() -> None:
    graph: Graph = {0: None, 1: None, 2: [0, 1]}
    assert set(minimum_vertex_cut(graph, {0: 8, 1: 8, 2: 1}, [2])) == {2}
