"""Decides whether threads that differentiated code makes are fibers (rules/parallel/fibers.py).

They are if they may wait for each other. Otherwise each runs where it is made, and its function is inlined there. Loops
that wait for a change of memory are found once LLVM has optimised the module: then the link starts again.
"""

from __future__ import annotations

from enzyme_cc.analysis.spin_loops import ATOMIC, spin_loops
from enzyme_cc.ir.module import Module
from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.participants.declarations import inactive_functions
from enzyme_cc.rules.parallel.fibers import MAKERS, WAITS


class NeedsFibers(Exception):
    """A thread that differentiated code makes waits for a change of memory."""


def makes_threads(text: str) -> bool:
    """Returns whether functions that requests may reach make threads."""
    return any(f"@{name}(" in text for name in MAKERS) and not _named(text).isdisjoint(MAKERS)


def needs_fibers(text: str, makes_threads: bool, fibers: bool | None) -> bool:
    """Returns whether threads that differentiated code makes may wait for each other.

    `fibers`: whether they are fibers in any case; None if that is not known yet.
    """
    return makes_threads and (not _named(text).isdisjoint(WAITS) if fibers is None else fibers)


def _named(text: str) -> set[str]:
    module = ModuleText(text)
    reached = reached_by_requests(module, without=inactive_functions(module))
    return {name for entity in reached for name in module.references(entity)}


def check_spin_loops(text: str) -> None:
    """Raises `NeedsFibers` if a function has a loop that waits for a change of memory."""
    if not any(word in text for word in ATOMIC):
        return
    module = Module.parse(text)
    for name, function in list(module.functions.items()):
        if any(word in (function.unparsed or "") for word in ATOMIC) and spin_loops(module.body(name)):
            raise NeedsFibers(name)
