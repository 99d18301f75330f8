"""Runs of a pool's facts are joined without changing which elements there are; equal facts have one index."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from enzyme_cc.analysis.type_analysis.declared.hints import Hint
from enzyme_cc.analysis.type_analysis.evidence.fact_index import FactIndices, joined
from enzyme_cc.analysis.type_analysis.evidence.places import WIDEST, Fact
from enzyme_cc.analysis.type_analysis.graph.condensed import Condensed
from enzyme_cc.analysis.type_analysis.graph.graph_nodes import Node
from enzyme_cc.analysis.type_analysis.kinds import Kind, Tag

_FAR = 200
_TAGS = [Tag(Kind.DOUBLE, 8), Tag(Kind.POINTER, 8), Tag(Kind.INTEGER, 4)]
_RUNS = st.tuples(
    st.integers(0, 100), st.sampled_from([0, 4, 8, 24]), st.none() | st.integers(0, _FAR), st.sampled_from(_TAGS)
)


def elements(facts: list[Fact]) -> set[tuple[int, Tag | Hint]]:
    found: set[tuple[int, Tag | Hint]] = set()
    for offset, stride, end, tag in facts:
        last = (_FAR if end is None else end) - tag.size
        found |= {(at, tag) for at in (range(offset, last + 1, stride) if stride else (offset,))}
    return found


@given(st.lists(_RUNS, max_size=12))
def test_joined_runs_have_the_same_elements(facts: list[Fact]) -> None:
    runs = joined(facts)
    assert elements(runs) == elements(facts)
    assert len(runs) <= len(facts)
    assert {(f[0] % WIDEST, f[1], f[3]) for f in runs} <= {(f[0] % WIDEST, f[1], f[3]) for f in facts}


def test_arrays_one_behind_the_other_are_one() -> None:
    double = Tag(Kind.DOUBLE, 8)
    assert joined([(64, 16, None, double), (0, 16, 32, double), (32, 16, 72, double)]) == [(0, 16, None, double)]


def test_arrays_with_a_gap_between_them_stay_apart() -> None:
    double = Tag(Kind.DOUBLE, 8)
    assert joined([(48, 16, 80, double), (0, 16, 32, double)]) == [(0, 16, 32, double), (48, 16, 80, double)]


def node(*facts: Fact) -> Node:
    made = Node()
    made.facts = dict.fromkeys(facts)
    return made


def test_nodes_with_equal_facts_share_an_index() -> None:
    double, count = (0, 8, None, Tag(Kind.DOUBLE, 8)), (24, 0, None, Tag(Kind.INTEGER, 4))
    indices, graph = FactIndices(), Condensed()
    index = indices.of({node(double, count): 0}, graph)
    assert index is indices.of({node(double, count): 0}, graph)
    assert index.facts == [(0, 8, 24, Tag(Kind.DOUBLE, 8)), count]  # the array ends where a count lies


def test_facts_in_another_order_have_the_same_number() -> None:
    one, other = (0, 0, None, Tag(Kind.DOUBLE, 8)), (8, 0, None, Tag(Kind.POINTER, 8))
    indices, graph = FactIndices(), Condensed()
    numbers = {indices.of({node(*facts): 0}, graph).number for facts in ((one, other), (other, one))}
    assert len(numbers) == 1
    assert indices.of({node(one): 0}, graph).number not in numbers


def test_facts_of_a_member_are_seen_from_the_first_byte_of_all() -> None:
    double = Tag(Kind.DOUBLE, 8)
    index = FactIndices().of({node((16, 0, None, double)): 8, node((0, 0, None, double)): 0}, Condensed())
    assert index.facts == [(8, 0, None, double), (0, 0, None, double)]
