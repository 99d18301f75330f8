"""Moves loads out of loops that do not write what they read, where LLVM cannot tell.

A C++ vector without elements has a null pointer. LLVM takes two such pointers for equal, and so for pointers to the
same memory: of two vectors, it reloads the element of one after each store to the other. The adjoint of such a load is
a sum in memory, where that of a load before the loop is one in a register.
"""

from __future__ import annotations

from ...analysis.memory.objects import ObjectKind, Objects, Places
from ...ir.cfg import ControlFlow, Loop
from ...ir.instructions import ACCESSES, BRANCHES, MAKES_VALUE
from ...ir.module import Module
from ...ir.values import Function, Instruction
from ...rules.library_functions import is_pure

_HARMLESS = MAKES_VALUE | BRANCHES
_OWN = (ObjectKind.STACK, ObjectKind.HEAP)
_GIVEN = (*_OWN, ObjectKind.GLOBAL, ObjectKind.ARGUMENT)


def hoist_loads(source: Module, function: Function) -> None:
    """Changes the function in place: such a load is in the header of its loop, so that each entry executes it."""
    flow = ControlFlow(function)
    candidates = [(loop, loads) for loop in reversed(flow.loops) if (loads := _candidates(loop))]
    if not candidates:
        return
    objects = Objects(source, function, flow)
    for loop, loads in candidates:
        before = loop.entering[0]
        written = [objects.of(i.operands[1]) for b in loop.blocks for i in b.instructions if i.opcode == "store"]
        for load in loads:
            if all(_are_apart(objects.of(load.operands[0]), places) for places in written):
                loop.header.instructions.remove(load)
                before.instructions.insert(len(before.instructions) - 1, load)
                load.block = before


def _candidates(loop: Loop) -> list[Instruction]:
    """Returns the loads from one place in the header of a loop in which only plain stores write."""
    if len(loop.entering) != 1 or len(loop.entering[0].successors) != 1:
        return []
    loads = [i for i in loop.header.instructions if i.opcode == "load" and not i.flags and _is_from_outside(i, loop)]
    return loads if loads and all(_is_plain(i) for b in loop.blocks for i in b.instructions) else []


def _is_from_outside(load: Instruction, loop: Loop) -> bool:
    pointer = load.operands[0]
    return not isinstance(pointer, Instruction) or pointer.block not in loop.blocks


def _is_plain(i: Instruction) -> bool:
    if i.opcode == "call":
        return i.callee_name.startswith("@") and is_pure(i.callee_name[1:])
    return i.opcode in _HARMLESS or (i.opcode in ACCESSES and not i.flags)


def _are_apart(a: Places, b: Places) -> bool:
    """True if no pointer to one of the first objects leads to one of the second."""
    known = all(found.kind in (*_GIVEN, ObjectKind.CONSTANT_NULL) for found in (*a, *b))
    return known and all(
        x.kind is ObjectKind.CONSTANT_NULL
        or y.kind is ObjectKind.CONSTANT_NULL
        or (x != y and (x.kind in _OWN or y.kind in _OWN))
        for x in a
        for y in b
    )
