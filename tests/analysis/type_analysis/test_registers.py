"""Integers in registers are split until each part is of one kind."""

from __future__ import annotations

from enzyme_cc.analysis.type_analysis.evidence.collected_evidence import Collected
from enzyme_cc.analysis.type_analysis.evidence.places import Evidence, Tier
from enzyme_cc.analysis.type_analysis.evidence.registers import integer_parts, without_wide_arithmetic
from enzyme_cc.analysis.type_analysis.kinds import Kind, Tag

FLOAT, INTEGER, WIDE = Tag(Kind.FLOAT, 4), Tag(Kind.INTEGER, 4), Tag(Kind.INTEGER, 8)


def exact(offset: int, tag: Tag) -> Evidence:
    return Evidence(offset, 0, None, tag, Tier.EXACT)


def parts(*items: Evidence) -> list[tuple[int, int, Kind]]:
    return integer_parts(Collected.of(items), 64)


def test_a_float_beside_an_integer_are_two_parts() -> None:
    assert parts(exact(0, FLOAT), exact(4, INTEGER)) == [(0, 32, Kind.FLOAT), (32, 32, Kind.INTEGER)]


def test_an_integer_of_one_kind_is_one_part() -> None:
    assert parts(exact(0, WIDE)) == [(0, 64, Kind.INTEGER)]


def test_a_part_that_two_kinds_disagree_on_stays_whole() -> None:
    assert parts(exact(0, Tag(Kind.DOUBLE, 8)), exact(0, Tag(Kind.POINTER, 8))) == [(0, 64, Kind.CONFLICT)]


def test_arithmetic_on_the_whole_register_concerns_another_field() -> None:
    kept = without_wide_arithmetic(Collected.of([exact(0, FLOAT), exact(0, WIDE), exact(4, INTEGER)]))
    assert set(kept.items) == {exact(0, FLOAT), exact(4, INTEGER)}
    alone = without_wide_arithmetic(Collected.of([exact(0, WIDE)]))
    assert set(alone.items) == {exact(0, WIDE)}
