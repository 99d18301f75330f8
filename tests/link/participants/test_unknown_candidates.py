"""--enzyme-candidate with a name that nothing in the link has."""

from __future__ import annotations

import pytest

from enzyme_cc.link.command.unknown_candidates import unknown_candidates

KNOWN = ("_ZN5model4stepEd", "_ZN5model4stopEd", "residual", "solver.c")


@pytest.mark.parametrize("name", KNOWN)
def test_known_names_are_not_warned_of(name: str) -> None:
    assert unknown_candidates([name], KNOWN) == []


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("Model", "the nearest names are _ZN5model4stepEd, _ZN5model4stopEd"),
        ("residaul", "the nearest names are residual"),
        ("qqq", "no name is like it"),
    ],
)
def test_nearest_names_are_told(name: str, nearest: str) -> None:
    (warning,) = unknown_candidates([name], KNOWN)
    assert warning.id == "EZ0111" and f"={name} names" in warning.message
    assert warning.reason == nearest
