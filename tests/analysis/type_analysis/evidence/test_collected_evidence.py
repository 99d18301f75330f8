"""What a query leaves out of an object's evidence, and what stays, so that the layout is the same."""

from __future__ import annotations

from functools import partial

from hypothesis import example, given, settings
from hypothesis import strategies as st

from enzyme_cc.analysis.type_analysis.declared.hints import Hint
from enzyme_cc.analysis.type_analysis.evidence.collected_evidence import (
    Collected,
    Near,
    Portion,
    RecentPortions,
    longest_runs,
    period_of,
)
from enzyme_cc.analysis.type_analysis.evidence.evidence_sets import EvidenceSets
from enzyme_cc.analysis.type_analysis.evidence.layout import Undecided, make_layout
from enzyme_cc.analysis.type_analysis.evidence.places import Evidence, Tier
from enzyme_cc.analysis.type_analysis.kinds import Kind, Layout, Tag

_TAGS = [
    Tag(Kind.DOUBLE, 8),
    Tag(Kind.FLOAT, 4),
    Tag(Kind.POINTER, 8),
    Tag(Kind.INTEGER, 4),
    Tag(Kind.INTEGER, 8, True),
]
_HINTS = [Hint(((0, 8, Kind.DOUBLE), (8, 4, Kind.INTEGER)), period) for period in (None, 16)]


class _Whole(Collected):
    """Leaves nothing out."""

    def near(self, size: int) -> Near:
        pieces = dict.fromkeys(self._find(Portion.ALL))
        return Near(pieces, period_of(pieces, False))


@st.composite
def _pieces(draw: st.DrawFn) -> Evidence:
    offset, stride = draw(st.integers(-16, 80)), draw(st.sampled_from([0, 1, 4, 8, 16, 24]))
    if draw(st.booleans()):
        return Evidence(offset, stride, None, draw(st.sampled_from(_HINTS)), Tier.HINT)
    end = draw(st.sampled_from([None, offset + 40, offset + 48])) if stride else None
    tier = draw(st.sampled_from([Tier.FOLDED, Tier.ELSEWHERE, Tier.BEHIND, Tier.STRIDED, Tier.EXACT]))
    return Evidence(offset, stride if tier is not Tier.EXACT else 0, end, draw(st.sampled_from(_TAGS)), tier)


def _layout(found: Collected, size: int) -> Layout | str:
    try:
        return make_layout(found, size)
    except Undecided as reason:
        return str(reason)


@given(st.lists(_pieces(), max_size=12), st.sampled_from([1, 4, 8, 24, 72]))
@example(
    [
        Evidence(24, 8, None, _TAGS[0], Tier.STRIDED),
        Evidence(0, 8, None, _HINTS[0], Tier.HINT),
        Evidence(0, 4, None, _TAGS[1], Tier.STRIDED),
    ],
    24,
)  # an array and a declaration at the same stride
def test_what_lies_far_behind_does_not_change_the_layout(pieces: list[Evidence], size: int) -> None:
    assert _layout(Collected.of(pieces), size) == _layout(_Whole.of(pieces), size)


@given(st.lists(_pieces(), max_size=12), st.integers(-40, 40), st.sampled_from([1, 8, 24]))
def test_declarations_at_a_stride_are_kept_once(pieces: list[Evidence], shift: int, size: int) -> None:
    sets = EvidenceSets()
    bits = sets.of(pieces)
    found = Collected(lambda portion: sets.pieces(bits, shift, 0, portion), kinds=partial(sets.kinds, bits))
    moved = [p._replace(offset=p.offset + shift, end=None if p.end is None else p.end + shift) for p in pieces]
    assert _layout(found, size) == _layout(Collected.of(moved), size)


@settings(max_examples=400)
@given(st.lists(_pieces(), max_size=12), st.integers(-40, 40), st.sampled_from([0, 24]), st.sampled_from([1, 8, 24]))
def test_pieces_near_some_bytes_are_found_by_place(pieces: list[Evidence], shift: int, repeats: int, size: int) -> None:
    sets = EvidenceSets()
    bits = sets.of(pieces)
    find, find_near = partial(sets.pieces, bits, shift, repeats), partial(sets.near, bits, shift, repeats)
    near = Collected(lambda portion: find(portion), find_near=find_near)
    assert _layout(near, size) == _layout(Collected(lambda portion: find(portion)), size)


def test_portions_that_were_asked_for_long_ago_are_found_again() -> None:
    asked: list[Portion] = []

    def find(portion: Portion) -> list[Evidence]:
        asked.append(portion)
        return pieces

    pieces = [Evidence(at, 0, None, _TAGS[0], Tier.EXACT) for at in range(4)]
    recent = RecentPortions(most=10)
    answers = [Collected(find, recent=recent) for _ in range(3)]
    for found in [*answers, answers[2], answers[0]]:
        assert list(found.items) == pieces
    assert len(asked) == 4  # that of the first one was forgotten when the third one was found


def test_large_sets_are_kept_without_what_others_tell() -> None:
    """A pool of everything had 617,000 pieces, 56,000 of which told all that the others told."""
    ends = [Evidence(at, 8, end, tag, Tier.STRIDED) for at in range(80) for end in range(200, 230) for tag in _TAGS[:2]]
    sets = EvidenceSets()
    bits = sets.of(ends)
    longest = sets.longest(bits)
    assert set(sets.pieces(longest)) == {i for i in ends if i.end == 229}
    assert sets.longest(longest) == longest
    assert _layout(Collected(partial(sets.pieces, longest, 0, 0)), 8) == _layout(Collected.of(ends), 8)
    few = sets.of(ends[:60])
    assert sets.longest(few) == few


def test_of_arrays_that_differ_in_their_ends_the_longest_stays() -> None:
    short, long, endless = (Evidence(8, 8, end, _TAGS[0], Tier.STRIDED) for end in (40, 72, None))
    other = Evidence(16, 8, 40, _TAGS[0], Tier.STRIDED)
    assert list(longest_runs([short, other, long])) == [long, other]
    assert list(longest_runs([endless, long])) == [endless]


def test_far_pieces_are_left_out() -> None:
    near, far = (Evidence(at, 0, None, _TAGS[0], Tier.EXACT) for at in (0, 4000))
    assert list(Collected.of([near, far]).near(8).pieces) == [near]
    assert list(Collected.of([near, far]).items) == [near, far]
