"""Regions of which declarations tell the kind, seen from the bytes of a query."""

from __future__ import annotations

from enzyme_cc.analysis.type_analysis.declared.hints import Hint
from enzyme_cc.analysis.type_analysis.evidence.declared_regions import DeclaredRegions, hint_regions
from enzyme_cc.analysis.type_analysis.evidence.places import Evidence, Tier
from enzyme_cc.analysis.type_analysis.kinds import Kind

#: struct { double x; int n; }
STRUCT = Hint(((0, 8, Kind.DOUBLE), (8, 4, Kind.INTEGER)), None)


def regions(offset: int, stride: int = 0, size: int = 16) -> list[tuple[int, int, Kind]]:
    return list(hint_regions([Evidence(offset, stride, None, STRUCT, Tier.HINT)], size))


def test_a_declaration_is_moved_to_where_it_begins() -> None:
    assert regions(0) == [(0, 8, Kind.DOUBLE), (8, 4, Kind.INTEGER)]
    assert regions(-8) == [(0, 4, Kind.INTEGER)]


def test_a_struct_at_a_stride_is_declared_at_each_element() -> None:
    found = regions(0, stride=16, size=32)
    assert {(0, 8, Kind.DOUBLE), (16, 8, Kind.DOUBLE), (24, 4, Kind.INTEGER)} <= set(found)


def test_what_is_declared_at_an_offset_is_looked_up() -> None:
    found = DeclaredRegions([(0, 8, Kind.DOUBLE), (8, 4, Kind.INTEGER), (16, 8, Kind.DOUBLE)])
    assert found.is_otherwise(8, Kind.DOUBLE)
    assert not found.is_otherwise(0, Kind.DOUBLE)
    assert next(found.later(8, Kind.DOUBLE)) == 16
    assert found.end(0, 4) == 8
    assert found.end(0, 8) is None  # the declaration is no array of such elements
