"""Takes reads behind `restrict` pointers out of loops of a region in which their address does not change.

LLVM knows which parameters of a function are `restrict`. A region gets them through a capture, so there LLVM leaves
the read in the loop. The reverse sweep would then add to the same shadow in each iteration, and wait for the last sum.
captured_pointers.py marks the pointers behind which no thread writes while the region runs.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.integers.offsets import base_of
from ....analysis.region_calls import LEADING
from ....ir.cfg import ControlFlow, Loop
from ....ir.values import Argument, Block, Function, Instruction, Value
from .restricted_captures import is_only_loaded_from


def hoist_restricted_reads(region: Function) -> None:
    """Moves such reads, and the addresses that they need, in place."""
    restricted = {a for a in region.arguments if _is_restricted(a) and is_only_loaded_from(a)}
    if not restricted:
        return
    for loop in reversed(ControlFlow(region).loops):
        before = _preheader(loop)
        if before is not None:
            for read in list(_reads_of_each_iteration(loop)):
                if base_of(read.operands[0]) in restricted:
                    _move(read, loop, before)


def _is_restricted(pointer: Argument) -> bool:
    return pointer.index >= LEADING and "noalias" in pointer.attributes.split()


def _preheader(loop: Loop) -> Block | None:
    entering = loop.entering
    return entering[0] if len(entering) == 1 and entering[0].successors == [loop.header] else None


def _reads_of_each_iteration(loop: Loop) -> Iterator[Instruction]:
    """Yields the reads at the start of the loop's body, where nothing can have left the loop before."""
    for i in loop.header.instructions:
        if i.opcode == "call":
            return
        if i.opcode == "load" and not i.flags and _is_fixed(i.operands[0], loop):
            yield i


def _is_fixed(address: Value, loop: Loop) -> bool:
    """True if an address is computed from values before the loop."""
    if not isinstance(address, Instruction) or address.block not in loop.blocks:
        return True
    return address.opcode == "getelementptr" and all(_is_fixed(operand, loop) for operand in address.operands)


def _move(value: Value, loop: Loop, before: Block) -> None:
    if not isinstance(value, Instruction) or value.block is None or value.block not in loop.blocks:
        return
    for operand in value.operands:
        _move(operand, loop, before)
    value.block.instructions.remove(value)
    before.insert(len(before.instructions) - 1, value)
