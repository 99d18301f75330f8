"""Explains why a function has no bitcode, by the object or archive that defines it."""

from __future__ import annotations

from collections.abc import Callable

#: names the object or archive member that defines a symbol without bitcode
Provenance = Callable[[str], str | None]


def why_no_bitcode(provenance: Provenance, name: str) -> str:
    """Returns the reason that a diagnostic gives for a function without bitcode."""
    where = provenance(name)
    if where:
        return f"it is defined in {where}, which was compiled without enzyme-cc"
    return "no object or archive of this link defines it with bitcode"
