"""Moves arithmetic that only one side of a select uses back into a branch.

LLVM computes both sides of a cheap conditional and selects one result. The adjoint of the other side would be zero
times a partial derivative, which is not zero if that is infinite or NaN; and computing it would be a waste. The
optimisation after differentiation makes selects again where they pay.
"""

from __future__ import annotations

from ...ir.builder import Builder
from ...ir.edit import move_tail
from ...ir.instructions import FLOAT_ARITHMETIC, FLOAT_RESIZES, INTEGER_TO_FLOAT, InstructionKind, of_kind
from ...ir.types import I1, is_float
from ...ir.values import Block, Function, Instruction, Value
from ...rules.library_functions import is_pure

#: arithmetic that may move: it reads no memory (of calls, `_may_move` decides)
_MOVABLE = (
    FLOAT_ARITHMETIC
    | FLOAT_RESIZES
    | INTEGER_TO_FLOAT
    | of_kind(InstructionKind.AGGREGATE, InstructionKind.VECTOR)
    | {"select"}
)


def unspeculate(function: Function) -> None:
    """Changes the function in place. Selects of vectors are not changed."""
    for block in list(function.blocks):
        work: Block | None = block
        while work is not None:
            work = _split_last(function, work)


def _split_last(function: Function, block: Block) -> Block | None:
    """Splits the block at the last select with arithmetic to move. Returns the first part; None if there is none."""
    for select in reversed(block.instructions):
        if select.opcode != "select" or not is_float(select.type) or select.operands[0].type != I1:
            continue
        sides = [_exclusive(select, operand) for operand in select.operands[1:]]
        if any(sides):
            _split(function, block, select, sides)
            return block
    return None


def _exclusive(select: Instruction, operand: Value) -> list[Instruction]:
    """Instructions of the select's block that only this operand of the select needs, in block order."""
    block = select.block
    assert block is not None
    chosen: set[Value] = set()
    work = [operand] if _count(operand, select) == 1 else []
    while work:  # a value met too early is met again with its last user
        value = work.pop()
        if not isinstance(value, Instruction) or value.block is not block or not _may_move(value):
            continue
        allowed = chosen if chosen else {select}
        if all(user in allowed for user in value.users):
            chosen.add(value)
            work.extend(o for o in value.operands if o not in chosen)
    return [i for i in block.instructions if i in chosen] if chosen else []


def _count(operand: Value, select: Instruction) -> int:
    return sum(o is operand for o in select.operands)


def _may_move(i: Instruction) -> bool:
    if i.opcode != "call":
        return i.opcode in _MOVABLE
    return i.callee_name.startswith("@llvm.") and is_pure(i.callee_name[1:])


def _split(function: Function, block: Block, select: Instruction, sides: list[list[Instruction]]) -> None:
    condition, *values = select.operands
    position = function.blocks.index(block) + 1
    rest = Block("", function)
    arms = [Block("", function) for _ in sides]
    function.blocks[position:position] = [*arms, rest]
    move_tail(select, rest)
    Builder(block).cond_br(condition, arms[0], arms[1])
    for arm, side in zip(arms, sides, strict=True):
        for i in side:
            block.instructions.remove(i)
            arm.append(i)
        Builder(arm).br(rest)
    select.replace_uses(Builder(rest).phi(select.type, zip(values, arms, strict=True)))
    select.erase()
