"""Evidence about few bytes, by elements."""

from __future__ import annotations

from enzyme_cc.analysis.type_analysis.declared.hints import Hint
from enzyme_cc.analysis.type_analysis.evidence.elements import by_elements
from enzyme_cc.analysis.type_analysis.evidence.evidence_sets import EvidenceSets
from enzyme_cc.analysis.type_analysis.evidence.places import Evidence, Tier
from enzyme_cc.analysis.type_analysis.kinds import Kind, Tag

FLOAT, INTEGER = Tag(Kind.FLOAT, 4), Tag(Kind.INTEGER, 4)


def access(offset: int, tag: Tag, tier: Tier, stride: int = 0, end: int | None = None) -> Evidence:
    return Evidence(offset, stride, end, tag, tier)


def test_arrays_of_different_strides_are_the_same_elements() -> None:
    runs = [access(0, FLOAT, Tier.STRIDED, 8), access(0, FLOAT, Tier.STRIDED, 16), access(8, FLOAT, Tier.STRIDED, 88)]
    assert [item.offset for item in by_elements(runs, 16)] == [0, 8]


def test_a_run_ends_where_it_is_known_to_end() -> None:
    assert [item.offset for item in by_elements([access(0, FLOAT, Tier.STRIDED, 4, 8)], 16)] == [0, 4]


def test_of_many_bytes_elements_behind_an_end_are_kept_apart() -> None:
    found = by_elements([access(4, FLOAT, Tier.STRIDED, 8, 16)], 52)
    assert [item.offset for item in found if item.tier is Tier.STRIDED] == [4, 12]
    assert [item.offset for item in found if item.tier is Tier.CUT] == [20, 28, 36, 44]


def test_an_element_counts_at_its_surest_tier() -> None:
    items = [access(4, FLOAT, Tier.FOLDED), access(4, FLOAT, Tier.EXACT), access(4, INTEGER, Tier.FOLDED)]
    assert [(i.tag, i.tier) for i in by_elements(items, 8)] == [(FLOAT, Tier.EXACT), (INTEGER, Tier.FOLDED)]


def test_structs_that_begin_alike_declare_the_same() -> None:
    body, rest = ((0, 4, Kind.FLOAT), (4, 4, Kind.INTEGER)), (8, 8, Kind.POINTER)
    hints = [Evidence(0, 0, None, hint, Tier.HINT) for hint in (Hint(body), Hint((*body, rest)), Hint(body, 8))]
    assert by_elements(hints, 8) == by_elements(hints[:1], 8)


def test_an_element_that_is_repeated_is_no_longer_exact() -> None:
    sets = EvidenceSets()
    found = sets.seen_before(sets.of([access(0, FLOAT, Tier.EXACT)]), 4, 8, 20)
    assert list(sets.pieces(found)) == [access(at, FLOAT, Tier.STRIDED) for at in (4, 12)]


def test_elements_of_one_row_are_repeated_once() -> None:
    sets = EvidenceSets()
    twice = sets.of([access(8, FLOAT, Tier.FOLDED), access(16, FLOAT, Tier.FOLDED), access(4, INTEGER, Tier.STRIDED)])
    floats = {access(at, FLOAT, Tier.FOLDED) for at in (8, 16, 24)}
    integers = {access(at, INTEGER, Tier.STRIDED) for at in (4, 12, 20)}
    assert set(sets.pieces(sets.seen_before(twice, 0, 8, 28))) == floats | integers


def test_narrower_fields_have_fewer_elements() -> None:
    sets = EvidenceSets()
    found = sets.of([access(4, FLOAT, Tier.STRIDED)])
    widths = {width: len(list(sets.pieces(sets.seen_before(found, 0, 8, width)))) for width in (24, 7, 12, 40)}
    assert widths == {24: 3, 7: 0, 12: 1, 40: 5}
