"""Offsets that are known but for multiples: what is said of them holds for each number that they stand for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from enzyme_cc.analysis.integers.offsets import Offset, Residue, either, may_overlap, moved

NUMBERS = st.integers(-60, 60)
RESIDUES = st.builds(lambda value, modulus: Residue(value % modulus, modulus), NUMBERS, st.integers(2, 40))
OFFSETS = st.one_of(NUMBERS, RESIDUES, st.none())


def some(offset: Offset) -> list[int]:
    """Numbers that the offset may stand for."""
    if isinstance(offset, int):
        return [offset]
    if offset is None:
        return list(range(-150, 150))
    return [offset.value + k * offset.modulus for k in range(-120 // offset.modulus, 120 // offset.modulus)]


def contains(offset: Offset, number: int) -> bool:
    if isinstance(offset, Residue):
        return (number - offset.value) % offset.modulus == 0
    return offset is None or offset == number


@given(OFFSETS, OFFSETS)
def test_sums(a: Offset, b: Offset) -> None:
    total = moved(a, b)
    assert all(contains(total, x + y) for x in some(a)[:20] for y in some(b)[:20])


@given(OFFSETS, OFFSETS)
def test_either(a: Offset, b: Offset) -> None:
    joined = either(a, b)
    assert all(contains(joined, x) for x in some(a) + some(b))


@given(OFFSETS, st.integers(1, 30), OFFSETS, st.integers(1, 30))
def test_overlap(a: Offset, size_a: int, b: Offset, size_b: int) -> None:
    meet = any(x < y + size_b and y < x + size_a for x in some(a) for y in some(b))
    said = may_overlap(a, size_a, b, size_b)
    assert said or not meet  # never said to be apart where they are not
    if isinstance(a, Residue) and isinstance(b, int):
        assert said == meet  # and no vaguer than need be


def test_unknown_sizes_and_offsets_may_overlap() -> None:
    assert may_overlap(None, 8, 0, 8) and may_overlap(0, None, 100, 8)
    assert not may_overlap(Residue(0, 56), 24, Residue(24, 56), 24)
