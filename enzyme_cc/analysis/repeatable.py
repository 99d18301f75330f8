"""Which calls may be made again in the reverse sweep: they write nothing, and what they read is still the same."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..ir.module import Module
from ..ir.types import PointerType
from ..ir.values import GlobalRef, Instruction, Value
from .memory import MemoryFacts

_MEMORY = re.compile(r"\bmemory\(([^)]*)\)")


def is_repeatable(
    module: Module, facts: MemoryFacts, call: Instruction, left_alone: Callable[[Value], bool]
) -> bool:
    """By what LLVM's attributes say of the callee. `left_alone`: whether no caller of this function writes there."""
    effects = memory_effects(module, call)
    if not effects or any(how not in ("none", "read") for how in effects.values()):
        return False
    if all(how == "none" for how in effects.values()):
        return True
    if effects[""] != "none":
        return False
    pointers = [a for a in call.arguments if isinstance(a.type, PointerType)]
    return all(left_alone(p) and facts.overwritten_behind(p, call) is None for p in pointers)


def memory_effects(module: Module, call: Instruction) -> dict[str, str]:
    """LLVM's memory(…) attribute by location, "" for the default; empty where there is none."""
    text = call.call.attributes
    if isinstance(call.callee, GlobalRef) and call.callee.name in module.functions:
        text += " " + module.functions[call.callee.name].suffix
    text = " ".join([text, *(module.attributes.get(group, "") for group in re.findall(r"#\d+", text))])
    match = _MEMORY.search(text)
    if match is None:
        return {}
    effects: dict[str, str] = {}
    for part in match[1].split(","):
        where, _, how = part.strip().rpartition(":")
        effects[where.strip()] = how.strip()
    effects.setdefault("", "none")
    return effects
