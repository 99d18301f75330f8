"""Tells the functions of a merged module that requests may reach from those that only the program itself calls."""

from __future__ import annotations

from collections.abc import Container

from enzyme_cc.ir.graphs import reachable
from enzyme_cc.link.inputs.module_text import Entity, ModuleText


def reached_by_requests(module: ModuleText, without: Container[str] = ()) -> set[Entity]:
    """Returns the functions that requests may reach: those used as values, and all that these refer to.

    `without`: functions that are left out, with all that is reached through them alone.
    """
    entities = (e for e in module.entities.values() if e.is_function and e.is_definition)
    functions = {e.name: e for e in entities if e.name not in without}

    def named(names: set[str]) -> list[Entity]:
        return [functions[name] for name in names if name in functions]

    starts = [e for entity in module.entities.values() if entity.is_definition for e in named(module.values(entity))]
    return set(reachable(starts, lambda entity: named(module.references(entity))))
