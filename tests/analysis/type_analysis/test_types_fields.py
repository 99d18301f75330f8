"""What is known of fields: graphs made by hand, of copies that lead round in circles."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.integers.signs import Direction
from enzyme_cc.analysis.type_analysis.evidence.collected import Collector
from enzyme_cc.analysis.type_analysis.evidence.collected_evidence import Collected
from enzyme_cc.analysis.type_analysis.evidence.fields import Fields
from enzyme_cc.analysis.type_analysis.evidence.layout import make_layout
from enzyme_cc.analysis.type_analysis.evidence.places import Tier
from enzyme_cc.analysis.type_analysis.graph.graph_nodes import Handle, Node
from enzyme_cc.analysis.type_analysis.graph.points_to_graph import Graph
from enzyme_cc.analysis.type_analysis.kinds import Kind, Tag

DOUBLE, INT = Tag(Kind.DOUBLE, 8), Tag(Kind.INTEGER, 4)


def known(graph: Graph, place: Handle, size: int | None = None) -> Collected:
    graph.solve()
    return Collector(Fields()).collect([place], size)


def facts(found: Collected) -> set[tuple[int, Kind, Tier]]:
    return {(i.offset, i.tag.kind, i.tier) for i in found.items if isinstance(i.tag, Tag)}


def test_a_field_that_was_copied_through_registers_is_what_its_copies_are_used_as() -> None:
    graph, source, target, register = Graph(), Node("a"), Node("b"), Node("r", is_register=True)
    graph.copies(Handle(register), Handle(source, 24), 8)
    graph.copies(Handle(register), Handle(target, 8), 8)
    view = Node("view of b")
    graph.points(view, Handle(target, 8))
    graph.access(Handle(target, 8), DOUBLE)
    assert (0, Kind.DOUBLE, Tier.EXACT) in facts(known(graph, Handle(source, 24)))
    assert (24, Kind.DOUBLE, Tier.EXACT) in facts(known(graph, Handle(source)))
    assert make_layout(known(graph, Handle(source, 24)), 8).segments[0].kind is Kind.DOUBLE


def test_fields_that_lead_to_one_another_know_the_same() -> None:
    graph, nodes = Graph(), [Node(str(k)) for k in range(50)]
    for k, node in enumerate(nodes):
        graph.copies(Handle(node, 4 * k), Handle(nodes[(k + 1) % 50], 4 * ((k + 1) % 50)), 4)
        graph.copies(Handle(node, 4 * k), Handle(node, 4 * k + 400), 4)
    graph.access(Handle(nodes[17], 4 * 17 + 400), INT)
    graph.solve()
    collector = Collector(Fields())
    for k, node in enumerate(nodes):
        assert facts(collector.collect([Handle(node, 4 * k)], 4)) >= {(0, Kind.INTEGER, Tier.EXACT)}


def test_what_lies_behind_a_copy_of_a_view_is_found() -> None:
    """Data of x was copied to y through a view of it; x is used as a number by its own name."""
    graph, x, y, view = Graph(), Node("x"), Node("y"), Node("view")
    graph.points(view, Handle(x, 16))
    graph.copies(Handle(view), Handle(y), 8)
    graph.access(Handle(x, 16), DOUBLE)
    assert facts(known(graph, Handle(y), 8)) >= {(0, Kind.DOUBLE, Tier.EXACT)}


def test_an_element_of_an_array_is_like_the_others() -> None:
    graph, array, other = Graph(), Node("array"), Node("other")
    graph.copies(Handle(other), Handle(array, 0, 8), 8)
    graph.access(Handle(other), DOUBLE)
    found = known(graph, Handle(array))
    assert make_layout(found, None).segments[0].kind is Kind.DOUBLE


def test_a_pointer_that_walks_ends() -> None:
    """A view that leads to itself, 8 bytes on, whose elements are copied to the ones before."""
    graph, array, walker = Graph(), Node("array"), Node("walker")
    graph.points(walker, Handle(array))
    graph.points(walker, Handle(walker, 8))
    graph.copies(Handle(walker), Handle(walker, 8), 8)
    graph.access(Handle(walker, 8), DOUBLE)
    assert make_layout(known(graph, Handle(walker), None), 8).segments[0].kind is Kind.DOUBLE
    assert Kind.DOUBLE in {kind for _, kind, _ in facts(known(graph, Handle(array, 16), 8))}


def test_what_touches_the_bytes_asked_about_is_found_without_what_lies_beyond() -> None:
    graph, node = Graph(), Node("a")
    for k in range(100):
        graph.access(Handle(node, 8 * k), DOUBLE)
    offsets = {offset for offset, _, _ in facts(known(graph, Handle(node, 80), 8))}
    assert 0 in offsets and max(offsets) < 64


def test_copies_from_element_to_element_end() -> None:
    """Copies of known but large size between two arrays, straight and one element on."""
    graph, x, y = Graph(), Node("x"), Node("y")
    for shift in (0, 8):
        graph.copies(Handle(x), Handle(y, shift), 1 << 30)
    graph.access(Handle(x, 80), DOUBLE)
    found = known(graph, Handle(y), 8)
    assert found.complete
    assert any(kind is Kind.DOUBLE for _, kind, _ in facts(found))


def test_what_is_moved_within_an_array_is_known_of_the_other_elements() -> None:
    """Elements are moved down by 24 bytes: what is at byte 8 is, less surely, at byte 8 of each element."""
    graph, array, low, high = Graph(), Node("array"), Node("low"), Node("high")
    graph.points(low, Handle(array, 0))
    graph.points(high, Handle(array, 24))
    graph.copies(Handle(low), Handle(high), None)
    graph.access(Handle(array, 8), DOUBLE)
    graph.access(Handle(array, 16), INT)
    collector = Collector(Fields())
    graph.solve()
    for element in range(0, 240, 24):
        kinds = {i.tag.kind for i in collector.collect([Handle(array, element + 8)], 8).items if isinstance(i.tag, Tag)}
        assert Kind.DOUBLE in kinds
        assert make_layout(collector.collect([Handle(array, element)]), 24).segments[-1].kind is not Kind.POINTER
    assert make_layout(collector.collect([Handle(array, 8)]), 8).segments[0].kind is Kind.DOUBLE


def test_what_lies_before_the_elements_that_are_moved_is_apart() -> None:
    graph, block, low, high = Graph(), Node("block"), Node("low"), Node("high")
    graph.points(low, Handle(block, 16))
    graph.points(high, Handle(block, 24))
    graph.copies(Handle(low), Handle(high), None)
    graph.access(Handle(block, 0), INT)
    graph.access(Handle(block, 16), DOUBLE)
    found = known(graph, Handle(block, 0), 4)
    assert make_layout(found, 4).segments[0].kind is Kind.INTEGER


def test_a_copy_through_any_view_of_a_large_cycle_is_found() -> None:
    graph, views = Graph(), [Node(f"view {k}") for k in range(100)]
    heap, other = Node("heap"), Node("other")
    for k, view in enumerate(views):
        graph.points(view, Handle(views[(k + 1) % 100], 8 * (k == 0)))
    graph.points(views[0], Handle(heap))
    graph.copies(Handle(views[70], 4), Handle(other), 4)
    graph.access(Handle(other), INT)
    assert Kind.INTEGER in {kind for _, kind, _ in facts(known(graph, Handle(views[20], 4), 4))}


def test_in_a_heap_of_single_bytes_any_word_may_be_what_is_copied_from_it() -> None:
    graph, blocks, register = Graph(), [Node(f"block {k}") for k in range(300)], Node("r", is_register=True)
    for k, block in enumerate(blocks):
        graph.copies(Handle(block), Handle(blocks[(k + 1) % 300], k == 0), None)
    graph.copies(Handle(blocks[3], 16), Handle(register), 8)
    graph.access(Handle(register), DOUBLE)
    assert (8, Kind.DOUBLE, Tier.FOLDED) in facts(known(graph, Handle(blocks[200], 40), 24))


@pytest.mark.parametrize("direction", Direction)
def test_pointers_that_walk_forwards_reach_nothing_before_the_array(direction: Direction) -> None:
    """A matrix has its sizes before its own buffer, and a pointer walks along a row by a size that the run tells."""
    graph, matrix, buffer, row = Graph(), Node("matrix"), Node("buffer"), Node("row")
    register = Node("r", is_register=True)
    graph.points(buffer, Handle(matrix, 64))
    graph.points(row, Handle(buffer, 0, 8, direction))
    graph.points(row, Handle(row, 0, 8, direction))
    graph.copies(Handle(row), Handle(register), 8)
    graph.access(Handle(register), DOUBLE)
    found = {kind for _, kind, _ in facts(known(graph, Handle(matrix, 8), 8))}
    assert (Kind.DOUBLE in found) is not (direction is Direction.FORWARDS)
    assert Kind.DOUBLE in {kind for _, kind, _ in facts(known(graph, Handle(matrix, 64), 8))}
