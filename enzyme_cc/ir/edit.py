"""Small edits of control flow that keep phis consistent with predecessors."""

from __future__ import annotations

from itertools import islice

from .cfg import reverse_postorder
from .constants import ConstantWord
from .graphs import reachable
from .values import Block, Function, Instruction, Local, Value


def drop_incoming(phi: Instruction, block: Block) -> None:
    """Drops a phi's pairs for a block that is no longer a predecessor."""
    pairs = [(v, p) for v, p in phi.incoming if p is not block]
    phi.drop_operands()
    for value, predecessor in pairs:
        phi.append_operand(value)
        phi.append_operand(predecessor)


def drop_phis_of(value: Value) -> None:
    """Replaces the phis that can have no other value than one of the function's entry, even if they name each other."""

    def phis_of(value: Value) -> list[Instruction]:
        return [user for user in value.users if user.opcode == "phi"] if isinstance(value, Local) else []

    found = set(reachable(phis_of(value), phis_of))
    while others := {phi for phi in found if any(v is not value and v not in found for v, _ in phi.incoming)}:
        found -= others
    for phi in found:
        phi.replace_uses(value)
    for phi in found:
        phi.erase()


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


def join_blocks(function: Function) -> None:
    """Leaves out blocks that only lead to another one, and makes one block of two if the second only follows the first.

    Blocks with phis stay what they are: a phi names its predecessors.
    """
    for block in function.blocks[1:]:
        target = _only_successor(block)
        if len(block.instructions) == 1 and target is not None and not target.phis:
            block.replace_uses(target)
            _drop_branch(block)
    for block in function.blocks:
        while (following := _only_successor(block)) is not None and _only_follows(following, function):
            _drop_branch(block)
            for i in following.instructions:
                block.append(i)
            following.instructions = []
            block.trailing_records, following.trailing_records = following.trailing_records, ()
            following.replace_uses(block)
    function.blocks = [block for block in function.blocks if block.instructions]


def _only_successor(block: Block) -> Block | None:
    """Returns where a block leads that ends in an unconditional branch, if nothing else is said there."""
    if not block.instructions or block.trailing_records:
        return None
    end = block.terminator
    if end.opcode != "br" or len(end.operands) != 1 or end.debug_records or end.metadata_node("!llvm.loop") is not None:
        return None
    target = end.operands[0]
    return target if isinstance(target, Block) and target is not block else None


def _only_follows(block: Block, function: Function) -> bool:
    """Returns whether control comes to the block in one way."""
    ways = islice((count for user, count in block.users.items() if user.is_terminator), 2)  # it may have thousands
    return list(ways) == [1] and block is not function.entry and not block.phis


def _drop_branch(block: Block) -> None:
    block.terminator.drop_operands()
    block.instructions.pop()
