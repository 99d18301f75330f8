"""From evidence to layouts: what is declared badly, or found in conflict, must not hide numbers."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.type_analysis.declared.hints import Hint
from enzyme_cc.analysis.type_analysis.evidence.collected_evidence import Collected
from enzyme_cc.analysis.type_analysis.evidence.layout import Undecided, make_layout
from enzyme_cc.analysis.type_analysis.evidence.places import Evidence, Tier
from enzyme_cc.analysis.type_analysis.kinds import Kind, Segment, Tag

DOUBLE, INTEGER, BYTE = Tag(Kind.DOUBLE, 8), Tag(Kind.INTEGER, 8), Tag(Kind.INTEGER, 1)


def found(*items: Evidence) -> Collected:
    return Collected.of(dict.fromkeys(items))


def test_a_declaration_that_ends_inside_of_an_element_hides_nothing() -> None:
    """It had no room for a single double, so that integers in its second half were all that was left."""
    declared = Hint(((0, 12, Kind.INTEGER),), None)
    items = [
        Evidence(0, 8, None, DOUBLE, Tier.STRIDED),
        *(Evidence(at, 8, None, BYTE, Tier.STRIDED) for at in range(4, 8)),
        Evidence(-8, 0, None, declared, Tier.HINT),
    ]
    with pytest.raises(Undecided):
        make_layout(found(*items), 8)
    assert make_layout(found(items[0], items[-1]), 8).segments == (Segment(0, 8, Kind.DOUBLE),)


def test_a_sure_integer_does_not_settle_a_conflict_with_numbers() -> None:
    runs = [Evidence(0, 8, None, tag, Tier.STRIDED) for tag in (DOUBLE, INTEGER)]
    with pytest.raises(Undecided, match="different kinds"):
        make_layout(found(*runs, Evidence(0, 0, None, INTEGER, Tier.EXACT)), 8)


def test_a_sure_number_does() -> None:
    runs = [Evidence(0, 8, None, tag, Tier.STRIDED) for tag in (DOUBLE, INTEGER)]
    layout = make_layout(found(*runs, Evidence(0, 0, None, DOUBLE, Tier.EXACT)), 8)
    assert layout.segments == (Segment(0, 8, Kind.DOUBLE),)


def test_a_run_that_begins_after_the_bytes_asked_for_says_nothing_of_them() -> None:
    run, byte = Evidence(52, 8, 68, DOUBLE, Tier.STRIDED), Evidence(0, 0, None, BYTE, Tier.EXACT)
    assert make_layout(found(run, byte), 1).segments == (Segment(0, 1, Kind.INTEGER),)


@pytest.mark.parametrize("header", [0, 8, 32, 72, 1 << 17])
def test_numbers_behind_a_header_are_seen_where_the_size_is_not_known(header: int) -> None:
    """The bytes that were looked at ended with the header, if it had four words or more."""
    declared = Hint(((0, header, Kind.INTEGER),), None, header)
    numbers = Evidence(header, 8, None, DOUBLE, Tier.STRIDED)
    items = [numbers, Evidence(0, 0, None, declared, Tier.HINT)] if header else [numbers]
    if header:
        with pytest.raises(Undecided, match="different multiples"):
            make_layout(found(*items), None)
    else:
        assert make_layout(found(*items), None).segments == (Segment(0, 8, Kind.DOUBLE),)


def test_numbers_far_behind_bytes_without_any_access_are_seen() -> None:
    far = Evidence(1 << 17, 8, None, DOUBLE, Tier.STRIDED)
    with pytest.raises(Undecided, match="anything and double"):
        make_layout(found(far, Evidence(1 << 18, 0, None, INTEGER, Tier.EXACT)), None)


def test_elements_that_are_larger_than_the_period_are_seen_whole() -> None:
    """Numbers and blanks may begin at any byte: the bytes that were looked at had no room for a double."""
    runs = [Evidence(0, 1, None, tag, Tier.STRIDED) for tag in (DOUBLE, Tag(Kind.INTEGER, 4))]
    with pytest.raises(Undecided):
        make_layout(found(*runs), None)
