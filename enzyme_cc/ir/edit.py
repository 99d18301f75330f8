"""Small edits of control flow that keep phis consistent with predecessors."""

from __future__ import annotations

from .cfg import reverse_postorder
from .constants import ConstantWord
from .values import Block, Function, Instruction


def drop_incoming(phi: Instruction, block: Block) -> None:
    """Drops a phi's pairs for a block that is no longer a predecessor."""
    pairs = [(v, p) for v, p in phi.incoming if p is not block]
    phi.drop_operands()
    for value, predecessor in pairs:
        phi.append_operand(value)
        phi.append_operand(predecessor)


def tail(i: Instruction) -> list[Instruction]:
    """Returns the instruction and what follows it in its block."""
    assert i.block is not None
    instructions = i.block.instructions
    return instructions[instructions.index(i) :]


def move_tail(i: Instruction, target: Block) -> None:
    """Moves the instruction, and what follows it, to the end of a block, which phis of the successors then name."""
    block, moved = i.block, tail(i)
    assert block is not None
    for successor in block.successors:
        for phi in successor.phis:
            phi.replace_operand(block, target)
    del block.instructions[-len(moved) :]
    for instruction in moved:
        target.append(instruction)
    target.trailing_records, block.trailing_records = block.trailing_records, ()


def drop_unreachable(function: Function) -> None:
    """Drops the blocks that no path from the entry reaches."""
    reachable = set(reverse_postorder(function.entry))
    dead = [b for b in function.blocks if b not in reachable]
    if not dead:
        return
    for block in reachable:
        for phi in block.phis:
            for _, predecessor in phi.incoming:
                if predecessor not in reachable:
                    drop_incoming(phi, predecessor)
    for block in dead:
        for i in block.instructions:
            i.replace_uses(ConstantWord(i.type, "poison"))
            i.drop_operands()
    function.blocks = [b for b in function.blocks if b in reachable]
