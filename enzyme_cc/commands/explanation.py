"""`enzyme explain`: an entry of the catalogue of diagnostics."""

from __future__ import annotations

import textwrap

from enzyme_cc.report.catalogue import CATALOGUE
from enzyme_cc.report.spelling import did_you_mean

_WIDTH = 100


def explained(id: str) -> str:
    """Returns what a diagnostic means. Raises `KeyError` with a message if there is none of this id."""
    name = id.upper() if id.upper().startswith("EZ") else f"EZ{id.zfill(4)}"
    entry = CATALOGUE.get(name)
    if entry is None:
        near = did_you_mean(name, CATALOGUE)
        raise KeyError(f"there is no {name}; {near}docs/diagnostics.md has all")
    parts = [f"{name}: {entry.title}", entry.explanation.replace("`", ""), f"Remedy: {entry.remedy}."]
    if entry.option:
        parts.append(f"Options: -Wno-{entry.option} switches it off, -Werror={entry.option} makes it an error.")
    return "\n\n".join(textwrap.fill(part, _WIDTH) for part in parts)
