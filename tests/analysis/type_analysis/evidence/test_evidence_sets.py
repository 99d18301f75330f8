"""Sets of evidence as bits of integers."""

from __future__ import annotations

from enzyme_cc.analysis.type_analysis.evidence.evidence_sets import EvidenceSets
from enzyme_cc.analysis.type_analysis.evidence.places import Evidence, Tier
from enzyme_cc.analysis.type_analysis.kinds import Kind, Tag

FLOAT, DOUBLE = Tag(Kind.FLOAT, 4), Tag(Kind.DOUBLE, 8)


def at(offset: int, tag: Tag = FLOAT, tier: Tier = Tier.EXACT) -> Evidence:
    return Evidence(offset, 0, None, tag, tier)


def test_a_union_holds_the_pieces_of_both_sets_once() -> None:
    sets = EvidenceSets()
    both = sets.of([at(0), at(4)]) | sets.of([at(4), at(8, DOUBLE)])
    assert list(sets.pieces(both)) == [at(0), at(4), at(8, DOUBLE)]


def test_a_field_that_begins_earlier_sees_the_pieces_further_on() -> None:
    sets = EvidenceSets()
    seen = sets.seen_before(sets.of([at(0), at(8, DOUBLE)]), 4, 0, 32)
    assert list(sets.pieces(seen)) == [at(4), at(12, DOUBLE)]


def test_elements_of_an_array_repeat_up_to_the_end_of_the_field() -> None:
    sets = EvidenceSets()
    seen = sets.repeating(sets.of([at(0)]), [8], 24)
    assert list(sets.pieces(seen)) == [at(0), *(at(offset, tier=Tier.STRIDED) for offset in (0, 8, 16))]


def test_several_repeats_meet() -> None:
    sets = EvidenceSets()
    seen = sets.repeating(sets.of([at(0)]), [8, 12], 24)
    assert {piece.offset for piece in sets.pieces(seen)} == {0, 8, 12, 16, 20}
