"""Reads LLVM's memory(…) attribute: how a function accesses which kind of memory, as its header or a call says."""

from __future__ import annotations

import re

from ...ir.module import Module
from ...ir.values import Function

_MEMORY = re.compile(r"\bmemory\(([^)]*)\)")
#: memory that the program does not see
_UNSEEN = frozenset(["inaccessiblemem", "errnomem", "target_mem0", "target_mem1"])


def effects(module: Module, text: str, function: Function | None = None) -> dict[str, str]:
    """Returns none, read, write or readwrite for each location, with "" for all others; empty without the attribute.

    `text` holds the attributes of a call; it is "" for the function alone.
    """
    text = text if function is None else f"{text} {function.suffix}"
    groups = (module.attributes.get(group, "") for group in re.findall(r"#\d+", text))
    match = _MEMORY.search(" ".join([text, *groups]))
    if match is None:
        return {}
    parts = (part.strip().rpartition(":") for part in match[1].split(","))
    return {"": "none"} | {where.strip(): how.strip() for where, _, how in parts}


def written(found: dict[str, str]) -> frozenset[str] | None:
    """Returns the locations that the function may write and the program sees; None if it may write any."""
    if not found or found[""] not in ("none", "read"):
        return None
    return frozenset(where for where, how in found.items() if how in ("write", "readwrite")) - _UNSEEN
