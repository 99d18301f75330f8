"""Moves to memory the values that a loop of steps passes in registers to its next iteration or to the code after it."""

from __future__ import annotations

from ...analysis.integers.loops import induction, is_invariant
from ...ir.builder import Builder
from ...ir.cfg import Loop
from ...ir.types import FloatType, IntType, Type
from ...ir.values import Block, Function, Instruction, Value


def carry_in_memory(function: Function, loop: Loop) -> None:
    """Moves numbers and integers. Values of other types remain in registers."""
    slots: dict[Value, Instruction] = {}
    for phi in loop.header.phis:
        if induction(phi, loop) is None and isinstance(phi.type, FloatType | IntType):
            _demote(function, loop, phi, slots)
    if len(loop.exit_edges) == 1:
        last, behind = loop.exit_edges[0]
        for phi in behind.phis:
            _demote_result(function, loop, last, phi, slots)


def _demote(function: Function, loop: Loop, phi: Instruction, slots: dict[Value, Instruction]) -> None:
    slot = _slot(function, phi)
    for value, block in phi.incoming:
        _store_at_end(block, value, slot)
        if block in loop.blocks:
            slots[value] = slot
    load = _load_after_phis(loop.header, phi.type, slot)
    phi.replace_uses(load)
    phi.erase()
    if loop.exit_edges and loop.exit_edges[0][0] is loop.header and loop.header not in loop.latches:
        slots[load] = slot


def _demote_result(
    function: Function, loop: Loop, last: Block, phi: Instruction, slots: dict[Value, Instruction]
) -> None:
    """Replaces a phi after the loop, with a single operand, by a load of the value that the loop stored last."""
    value = phi.operands[0]
    if len(phi.operands) != 2 or is_invariant(value, loop) or not isinstance(phi.type, FloatType | IntType):
        return
    if value not in slots:
        if last not in loop.latches:
            return
        slots[value] = _slot(function, phi)
        _store_at_end(last, value, slots[value])
    assert phi.block is not None
    phi.replace_uses(_load_after_phis(phi.block, phi.type, slots[value]))
    phi.erase()


def _slot(function: Function, phi: Instruction) -> Instruction:
    return Builder.first(function.entry).alloca(phi.type)


def _load_after_phis(block: Block, type_: Type, slot: Value) -> Instruction:
    return Builder.first(block).load(type_, slot)


def _store_at_end(block: Block, value: Value, slot: Instruction) -> None:
    Builder.before(block.terminator).store(value, slot)
