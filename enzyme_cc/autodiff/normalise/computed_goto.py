"""Replaces jumps to computed addresses by comparisons with the addresses of the primal's blocks.

A derivative function has its own blocks, but the program's tables hold the addresses of the primal's blocks.
"""

from __future__ import annotations

from ...ir.builder import Builder
from ...ir.constants import ConstantText
from ...ir.types import PTR
from ...ir.values import Block, Function, Instruction, Value


def compare_addresses(function: Function) -> None:
    """Replaces every indirectbr of the function, in place."""
    for block in list(function.blocks):
        if block.terminator.opcode == "indirectbr":
            _compare(function, block)


def _compare(function: Function, block: Block) -> None:
    jump = block.terminator
    address, targets = jump.operands[0], list(dict.fromkeys(jump.successors))
    for target in targets:
        for phi in target.phis:
            _enter_once(phi, block)
    jump.erase()
    at = block
    for target in targets[:-1]:
        b, following = Builder(at), function.add_block()
        b.cond_br(b.icmp("eq", address, _address(function, target)), target, following)
        _come_from(target, block, at)
        at = following
    Builder(at).br(targets[-1])
    _come_from(targets[-1], block, at)


def _address(function: Function, block: Block) -> Value:
    return ConstantText(PTR, f"blockaddress({function.name}, %{block.name})")


def _enter_once(phi: Instruction, predecessor: Block) -> None:
    """Keeps one pair for the predecessor, which had an edge for each mention of the block."""
    pairs: dict[Block, Value] = {}
    for value, source in phi.incoming:
        pairs.setdefault(source, value)
    if len(pairs) < len(phi.incoming):
        phi.drop_operands()
        for source, value in pairs.items():
            phi.append_operand(value)
            phi.append_operand(source)


def _come_from(target: Block, old: Block, new: Block) -> None:
    for phi in target.phis:
        phi.replace_operand(old, new)
