"""The graph of type analysis: facts flow along views and copies."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.integers.signs import Direction
from enzyme_cc.analysis.type_analysis.declared.hints import Hint
from enzyme_cc.analysis.type_analysis.graph import points_to_graph
from enzyme_cc.analysis.type_analysis.graph.condensed import Condensed
from enzyme_cc.analysis.type_analysis.graph.cycles import Cycles
from enzyme_cc.analysis.type_analysis.graph.graph_nodes import Edge, Handle, Node
from enzyme_cc.analysis.type_analysis.graph.points_to_graph import Graph
from enzyme_cc.analysis.type_analysis.kinds import POINTER_TAG, Kind, Tag
from enzyme_cc.report import EnzymeError

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


def test_copies_carry_pointers_both_ways() -> None:
    graph, a, b = Graph(), Node("a"), Node("b")
    graph.copies(Handle(a), Handle(b, 40), 8)
    view = graph.pointee(Handle(a), POINTER_TAG)
    graph.solve()
    assert graph.pointee(Handle(b, 40), POINTER_TAG) is view


def test_numbers_stay_where_they_are_accessed() -> None:
    graph, a, b = Graph(), Node("a"), Node("b")
    graph.copies(Handle(a), Handle(b, 40), 8)
    graph.access(Handle(a), DOUBLE)
    graph.solve()
    assert not b.facts


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


def test_facts_go_round_a_cycle_of_views_a_few_times_only() -> None:
    """A pointer walks through an array by way of a second one: what the first knows is known of each element."""
    graph, array, first, second = Graph(), Node("array"), Node("first"), Node("second")
    graph.points(first, Handle(array))
    graph.points(first, Handle(second, 24))
    graph.points(second, Handle(first))
    graph.access(Handle(first, 8), DOUBLE)
    graph.solve()
    assert (8, 24, None, DOUBLE) in array.facts
    assert len(array.facts) < 10


def test_views_with_one_target_are_that_target() -> None:
    graph, block, view, viewer = Graph(), Node("block"), Node("view"), Node("viewer")
    graph.points(view, Handle(block, 16))
    graph.points(viewer, Handle(view, 8))
    condensed = Condensed()
    assert condensed.place(viewer) == (block, 24)
    assert condensed.viewers(block) == []


def test_views_with_the_same_targets_are_the_same() -> None:
    graph, a, b, x, y = Graph(), Node("a"), Node("b"), Node("x"), Node("y")
    for view in (x, y):
        graph.points(view, Handle(a))
        graph.points(view, Handle(b, 8))
    graph.copies(Handle(x, 8), Handle(Node("register")), 8)
    condensed = Condensed()
    assert condensed.place(x) == condensed.place(y)
    root, _ = condensed.place(x)
    assert condensed.viewers(b) == [(root, 8, 0)]
    assert condensed.words_through((root, 8, 0)) == {2}


def test_elements_that_are_moved_within_their_array_are_a_pool() -> None:
    graph, array, low, high = Graph(), Node("array"), Node("low"), Node("high")
    graph.points(low, Handle(array, 16))
    graph.points(high, Handle(array, 40))
    graph.copies(Handle(low), Handle(high), None)
    condensed = Condensed()
    root, _ = condensed.place(array)
    pool = condensed.pool(root)
    assert pool is not None
    assert (pool.period, pool.start + pool.members[root]) == (24, 16)


def test_an_array_that_a_cycle_of_views_carries_down_has_no_begin() -> None:
    """Otherwise each node on the cycle, and all that they view, would have the array at each of many begins."""
    graph, block, view = Graph(), Node("block"), Node("view")
    graph.points(view, Handle(block))
    graph.points(view, Handle(view, -16))
    graph.points(view, Handle(view, 16))
    graph.access(Handle(view, 8), DOUBLE)
    graph.solve()
    begins = {offset for offset, stride, _, _ in block.facts if stride}
    assert len(begins) < 8
    assert min(begins) < -(1 << 40)
    assert all(key[0] < -(1 << 40) for key in view.facts if key[1])


def test_an_array_without_begin_may_cover_arrays_of_longer_strides() -> None:
    graph, view = Graph(), Node("view")
    graph.points(view, Handle(view, -32))
    sparse = [(offset, 32) for offset in range(404, 0, -32)]
    for offset, stride in [(1000, 4), (996, 4), *sparse, (-2000, 4)]:
        graph.access(Handle(view, offset, stride), Tag(Kind.FLOAT, 4))
    assert [key[1] for key in view.facts] == [4]


def test_views_that_lead_to_each_other_at_the_same_offset_are_one_node() -> None:
    graph, block, a, b = Graph(), Node("block"), Node("a"), Node("b")
    graph.points(a, Handle(block, 8))
    graph.points(a, Handle(b))
    graph.points(b, Handle(a))
    graph.access(Handle(b, 8), DOUBLE)
    graph.solve()
    assert a.find() is b.find()
    assert list(block.facts) == [(16, 0, None, DOUBLE)]


def test_arrays_that_sink_by_an_uneven_step_become_endless_ones() -> None:
    """Runs with a step of 10 are on all even offsets: no run with a step of 8 covers them, but four of them do."""
    graph, block = Graph(), Node("block")
    for k in range(200):
        graph.access(Handle(block, 132 - 1004 * k, 10), POINTER_TAG)
    graph.solve()
    assert len(block.strided[POINTER_TAG]) < 30
    endless = {(start % step, step) for start, step, _ in block.strided[POINTER_TAG] if start < -(1 << 40)}
    assert endless == {(rest, 8) for rest in (0, 2, 4, 6)}


def test_endless_arrays_of_several_steps_cover_arrays_that_sink() -> None:
    """Two of step 16 are on the offsets of one of step 8. Together with three of step 8, they are on all even ones."""
    graph, block = Graph(), Node("block")
    far = 1 << 41
    for start, step in [(0, 16), (8, 16), (2, 8), (4, 8), (6, 8)]:
        graph.access(Handle(block, start - step * far, step), POINTER_TAG)
    known = list(block.facts)
    for k in range(200):
        graph.access(Handle(block, 10 - 1048560 * k, 26), POINTER_TAG)
    assert list(block.facts) == known


def test_analysis_that_does_not_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points_to_graph, "MOST_CARRIED", 10)
    graph, block, view = Graph(), Node("block"), Node("view")
    graph.points(view, Handle(block, 16))
    for k in range(20):
        graph.access(Handle(view, 8 * k), DOUBLE)
    with pytest.raises(EnzymeError, match="type analysis does not come to its end") as error:
        graph.solve()
    assert error.value.diagnostics[0].id == "EZ0904"


def test_facts_that_new_edges_carry_count_as_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points_to_graph, "MOST_CARRIED", 10)
    graph, block, view = Graph(), Node("block"), Node("view")
    for k in range(20):
        graph.access(Handle(view, 8 * k), DOUBLE)
    with pytest.raises(EnzymeError, match="type analysis does not come to its end"):
        graph.points(view, Handle(block, 16))


def behind(graph: Graph, memory: Node, offset: int, stride: int = 0, direction: Direction = Direction.FORWARDS) -> Node:
    """Returns what the pointers at an offset, or of an array that begins there, point at."""
    return graph.pointee(Handle(memory, offset, stride, direction), POINTER_TAG)


def solved(graph: Graph) -> None:
    graph.solve()
    while graph.unify_overlaps():
        graph.solve()


RECORD = Hint(((0, 8, Kind.POINTER), (48, 8, Kind.INTEGER), (56, 8, Kind.POINTER)), None, 64)


@pytest.mark.parametrize("array_first", [True, False])
def test_an_array_of_pointers_ends_with_its_member_of_a_struct(array_first: bool) -> None:
    graph, memory = Graph(), Node("memory")
    views = {at: behind(graph, memory, at, stride) for at, stride in sorted({8: 8, 56: 0}.items(), reverse=array_first)}
    graph.access(Handle(memory), RECORD)
    solved(graph)
    assert views[8].find() is not views[56].find()


@pytest.mark.parametrize("first", [0, 40])
def test_an_array_of_pointers_goes_on_within_its_member_and_over_integers(first: int) -> None:
    graph, memory = Graph(), Node("memory")
    array, within = behind(graph, memory, first, 8, Direction.EITHER), behind(graph, memory, 16)
    last = behind(graph, memory, 56)
    graph.access(Handle(memory, 48), Tag(Kind.INTEGER, 8))
    if first:
        graph.access(Handle(memory), RECORD)
    solved(graph)
    assert array.find() is within.find()
    assert (array.find() is last.find()) is (first == 0)


def test_pointers_before_an_array_do_not_belong_to_it() -> None:
    graph, memory, view = Graph(), Node("memory"), Node("view")
    before = behind(graph, memory, 0)
    graph.points(view, Handle(memory, 8, 8))
    array = graph.pointee(Handle(view), POINTER_TAG)
    solved(graph)
    assert before.find() is not array.find()


def test_an_array_that_leads_back_holds_the_pointers_before_it() -> None:
    graph, memory, view = Graph(), Node("memory"), Node("view")
    before = behind(graph, memory, 0)
    graph.points(view, Handle(memory, 8, 8))
    array = behind(graph, view, 0, 8, Direction.EITHER)
    solved(graph)
    assert before.find() is array.find()


def test_a_pointer_that_walks_back_leads_before_its_array() -> None:
    graph, memory, walking = Graph(), Node("memory"), Node("walking")
    before = behind(graph, memory, 0)
    graph.points(walking, Handle(memory, 40))
    graph.points(walking, Handle(walking, -8))
    array = graph.pointee(Handle(walking), POINTER_TAG)
    solved(graph)
    assert before.find() is array.find()


@pytest.mark.parametrize(("kind", "is_one"), [(Kind.UNKNOWN, False), (Kind.POINTER, False), (Kind.INTEGER, True)])
def test_members_of_pointers_and_of_unknown_kinds_may_be_arrays(kind: Kind, is_one: bool) -> None:
    graph, memory = Graph(), Node("memory")
    array, later = behind(graph, memory, 8, 8), behind(graph, memory, 64)
    graph.access(Handle(memory), Hint(((0, 8, Kind.POINTER), (8, 56, kind), (64, 8, Kind.POINTER)), None, 72))
    solved(graph)
    assert (array.find() is later.find()) is is_one


@pytest.mark.parametrize("is_moved", [True, False])
def test_arrays_that_pointers_are_moved_from_go_on_behind_their_member(is_moved: bool) -> None:
    graph, memory, view = Graph(), Node("memory"), Node("view")
    last = behind(graph, memory, 56)
    graph.access(Handle(memory), RECORD)
    graph.points(view, Handle(memory, 8, 8))
    array = behind(graph, view, 0)
    if is_moved:
        graph.moves(Handle(view))
    solved(graph)
    assert (array.find() is last.find()) is is_moved


@pytest.mark.parametrize("stride", [0, 8])
def test_arrays_that_words_are_copied_to_go_on_behind_their_member(stride: int) -> None:
    graph, memory, other = Graph(), Node("memory"), Node("other")
    first, last = behind(graph, memory, 8), behind(graph, memory, 56)
    graph.access(Handle(memory), RECORD)
    behind(graph, other, 0)
    graph.copies(Handle(memory, 8, stride), Handle(other, 0, stride), 8)
    solved(graph)
    assert (first.find() is last.find()) is (stride > 0)


@pytest.mark.parametrize(("stride", "is_one"), [(1, True), (8, False)])
def test_a_count_of_bytes_may_lead_to_any_member(stride: int, is_one: bool) -> None:
    graph, memory = Graph(), Node("memory")
    array, last = behind(graph, memory, 8, stride), behind(graph, memory, 56)
    graph.access(Handle(memory), RECORD)
    solved(graph)
    assert (array.find() is last.find()) is is_one
