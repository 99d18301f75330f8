"""Decides whether threads that differentiated code makes are fibers (rules/parallel/fibers.py).

They are if they may wait for each other. Otherwise each runs where it is made, and its function is inlined there.
"""

from __future__ import annotations

from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.participants.declarations import inactive_functions
from enzyme_cc.rules.parallel.fibers import MAKERS, WAITS


def needs_fibers(text: str, has_no_fibers: bool) -> bool:
    """Returns whether functions that requests may reach make threads that may wait for each other."""
    if has_no_fibers or not any(f"@{name}(" in text for name in MAKERS):
        return False
    module = ModuleText(text)
    reached = reached_by_requests(module, without=inactive_functions(module))
    named = {name for entity in reached for name in module.references(entity)}
    return not named.isdisjoint(MAKERS) and not named.isdisjoint(WAITS)
