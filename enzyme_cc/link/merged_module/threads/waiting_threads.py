"""Decides whether threads that differentiated code makes are fibers (rules/parallel/fibers.py).

They are if they may wait for each other. Otherwise each runs where it is made, and its function is inlined there. Loops
that wait for a change of memory are found once LLVM has optimised the module: then the link starts again.
"""

from __future__ import annotations

import re

from enzyme_cc.analysis.spin_loops import ATOMIC, spin_loops
from enzyme_cc.ir.module import Module
from enzyme_cc.link.inputs.module_text import NAME, ModuleText, quoted, unquoted
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.merged_module.threads.parallel_regions import VARIANTS
from enzyme_cc.link.participants.declarations import inactive_functions
from enzyme_cc.rules.parallel.fibers import CALL, MAKERS, WAITS

_OPERAND = rf"ptr (?:noundef |nonnull )*(?P<{{}}>[@%]{NAME}|null)"
_CALL = re.compile(
    rf"(?P<call> @{CALL}\(ptr (?:noundef |nonnull )*)@(?P<routine>{NAME})"
    rf"(?P<rest>, {_OPERAND.format('frame')}, {_OPERAND.format('function')}, {_OPERAND.format('argument')}\))"
)
_PARAMETER = re.compile(rf"(%{NAME})(?=,|\) )")


class NeedsFibers(Exception):
    """A thread that differentiated code makes waits for a change of memory."""


def how_threads_run(text: str, fibers: bool | None) -> tuple[bool, bool]:
    """Returns whether functions that requests may reach make threads, and whether these are fibers.

    `fibers`: whether they are in any case; None if that is not known yet: they are if they may wait for each other.
    They are not if a request rewrites the functions that are called: it would not follow threads.
    """
    if not any(f"@{name}(" in text for name in MAKERS):
        return False, False
    named = _named(text)
    makes_threads = not named.isdisjoint(MAKERS)
    may_wait = not named.isdisjoint(WAITS) if fibers is None else fibers
    return makes_threads, makes_threads and may_wait and not VARIANTS.search(text)


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


def with_own_routines(text: str) -> str:
    """Returns the text in which a thread whose function is known has a routine of its own, which calls it by name."""
    module = ModuleText(text)
    made: dict[tuple[str, str, str], tuple[str, str]] = {}

    def own(found: re.Match[str]) -> str:
        routine, *passed = found.group("routine", "function", "argument")
        function, argument = (operand if operand.startswith("@") else "" for operand in passed)
        entity = module.entities[unquoted(routine)]
        if not (function or argument) or not entity.is_definition:
            return found[0]
        key = (routine, function, argument)
        if key not in made:
            name = "@" + quoted(f"{entity.name}.{len(made)}")
            made[key] = name, _own_routine(module.of(entity), name, f"@{routine}", [function, argument])
        return f"{found['call']}{made[key][0]}{found['rest']}"

    changed = _CALL.sub(own, text)
    return "\n".join([changed, *(definition for _, definition in made.values())])


def _own_routine(text: str, name: str, routine: str, passed: list[str]) -> str:
    """Returns the text of a routine with another name, in which the function and the argument are what is passed."""
    head, newline, body = text.partition("\n")
    for parameter, value in zip(_PARAMETER.findall(head)[1:], passed, strict=True):
        if value:
            body = re.sub(re.escape(parameter) + r"(?![-\w.$])", value.replace("\\", r"\\"), body)
    return head.replace(f"{routine}(", f"{name}(", 1) + newline + body
