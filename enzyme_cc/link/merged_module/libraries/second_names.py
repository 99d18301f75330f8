"""Calls of MPI by their second names: PMPI_Send is MPI_Send, unless the program has an MPI_Send of its own."""

from __future__ import annotations

import re
from collections.abc import Container

from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.participants import linkage

_SECOND = re.compile(r"[Pp](?P<usual>(?:MPI|mpi)_\w+)")
_MENTION = re.compile(rf"(?<=@){_SECOND.pattern}(?![-\w.$])")


def with_usual_names(text: str, defined: Container[str]) -> str:
    """Returns a unit's text in which functions of MPI have their usual names: derivatives know these.

    `defined`: the functions that the program defines.
    """
    if _MENTION.search(text) is None:
        return text
    module = ModuleText(text)
    found = [match for name in module.entities if (match := _SECOND.fullmatch(name))]
    usual = {match[0]: match["usual"] for match in found if match[0] not in defined and match["usual"] not in defined}

    def change(entity: Entity, body: str) -> str | None:
        if usual.get(entity.name) in module.entities:
            return ""  # it is declared by both names
        return _MENTION.sub(lambda match: usual.get(match[0], match[0]), body)

    return linkage.edit(module, change)
