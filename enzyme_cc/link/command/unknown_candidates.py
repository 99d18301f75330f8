"""Warns of `--enzyme-candidate=NAME` if nothing in the link has that name."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from enzyme_cc.report import Diagnostic

_SHOWN = 3
_REMEDY = "name a function by its symbol, as EZ0311 and EZ0305 show it, or a source file without its folder"


def unknown_candidates(named: Collection[str], known: Collection[str]) -> list[Diagnostic]:
    """Returns a warning (EZ0111) for each name that is not `known`, with those that are nearest."""
    return [
        Diagnostic(
            "EZ0111",
            f"--enzyme-candidate={name} names no function and no source file with bitcode in this link",
            reason=_similar(name, known),
            remedy=_REMEDY,
        )
        for name in sorted(named)
        if name not in known
    ]


def _similar(name: str, known: Collection[str]) -> str:
    """Tells the names that hold this one (as mangled names do), else those spelt alike."""
    folded = name.casefold()
    holding = sorted((other for other in known if folded in other.casefold()), key=lambda other: (len(other), other))
    nearest = holding[:_SHOWN] or get_close_matches(name, sorted(known), n=_SHOWN)
    return f"the nearest names are {', '.join(nearest)}" if nearest else "no name is like it"
