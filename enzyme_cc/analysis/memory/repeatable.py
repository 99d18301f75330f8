"""Decides which calls the reverse sweep may make again: they write nothing, and what they read is unchanged."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.constants import GlobalRef
from ...ir.module import Module
from ...ir.types import PointerType
from ...ir.values import Instruction, Value
from .facts import MemoryFacts
from .memory_attribute import effects


def is_repeatable(module: Module, facts: MemoryFacts, call: Instruction, left_alone: Callable[[Value], bool]) -> bool:
    """True if LLVM's attributes of the callee say so. `left_alone(pointer)`: no caller of the function writes there."""
    known = isinstance(call.callee, GlobalRef) and call.callee.name in module.functions
    found = effects(module, call.call.attributes, module.functions[str(call.callee)] if known else None)
    if not found or any(how not in ("none", "read") for how in found.values()):
        return False
    if all(how == "none" for how in found.values()):
        return True
    if found[""] != "none":
        return False
    pointers = [a for a in call.arguments if isinstance(a.type, PointerType)]
    return all(left_alone(p) and facts.overwritten_behind(p, call) is None for p in pointers)
