"""Puts in memory what a loop of steps hands from one iteration to the next, or to the code behind it, in registers."""

from __future__ import annotations

from ...analysis.integers.loops import induction, is_invariant
from ...ir.cfg import Loop
from ...ir.types import PTR, VOID, FloatType, IntType
from ...ir.values import Block, Function, Instruction, MemoryInfo, Value


def carry_in_memory(function: Function, loop: Loop) -> None:
    """Numbers and integers; what else there is stays as it is."""
    slots: dict[Value, Instruction] = {}
    for phi in loop.header.phis:
        if induction(phi, loop) is None and isinstance(phi.type, FloatType | IntType):
            _demote(function, loop, phi, slots)
    if len(loop.exit_edges) == 1:
        inside, outside = loop.exit_edges[0]
        for phi in outside.phis:
            _demote_result(function, loop, inside, phi, slots)


def _demote(function: Function, loop: Loop, phi: Instruction, slots: dict[Value, Instruction]) -> None:
    slot = _slot(function, phi)
    for value, block in phi.incoming:
        _store_at_end(block, value, slot)
        if block in loop.blocks:
            slots[value] = slot
    load = Instruction("load", phi.type, (slot,), MemoryInfo(phi.type))
    loop.header.insert(len(loop.header.phis), load)
    phi.replace_uses(load)
    phi.erase()
    if loop.exit_edges and loop.exit_edges[0][0] is loop.header and loop.header not in loop.latches:
        slots[load] = slot


def _demote_result(
    function: Function, loop: Loop, inside: Block, phi: Instruction, slots: dict[Value, Instruction]
) -> None:
    """A phi behind the loop that merges nothing: what was stored last."""
    value = phi.operands[0]
    if len(phi.operands) != 2 or is_invariant(value, loop) or not isinstance(phi.type, FloatType | IntType):
        return
    if value not in slots:
        if inside not in loop.latches:
            return
        slots[value] = _slot(function, phi)
        _store_at_end(inside, value, slots[value])
    assert phi.block is not None
    load = Instruction("load", phi.type, (slots[value],), MemoryInfo(phi.type))
    phi.block.insert(len(phi.block.phis), load)
    phi.replace_uses(load)
    phi.erase()


def _slot(function: Function, phi: Instruction) -> Instruction:
    return function.entry.insert(0, Instruction("alloca", PTR, (), MemoryInfo(phi.type)))


def _store_at_end(block: Block, value: Value, slot: Instruction) -> None:
    store = Instruction("store", VOID, (value, slot), MemoryInfo())
    block.insert(len(block.instructions) - 1, store)
