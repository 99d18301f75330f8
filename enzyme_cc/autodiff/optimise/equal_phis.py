"""Replaces phis by the value that each of their predecessors computes.

LLVM moves a computation into predecessors to save it where it was done before, and then finds that all of them do it,
and nothing merges the copies any more. The reverse sweep would need to know which one it was: the tape stores the phi.
"""

from __future__ import annotations

from ...ir.cfg import ControlFlow
from ...ir.constants import Constant
from ...ir.instructions import PURE
from ...ir.types import is_float
from ...ir.values import Function, Instruction, Value

_DEEP = 4


def replace_equal_phis(function: Function) -> None:
    """Changes the function in place."""
    flow: ControlFlow | None = None
    for phi in [i for i in function.instructions() if i.opcode == "phi" and not is_float(i.type)]:
        first, *others = phi.operands[::2]
        if not others or not all(_are_equal(first, other, _DEEP) for other in others):
            continue
        flow = flow or ControlFlow(function)
        found = next((v for v in phi.operands[::2] if _serves(flow, v, phi)), None)
        if found is not None:
            phi.replace_uses(found)
            phi.erase()


def _are_equal(a: Value, b: Value, depth: int) -> bool:
    """True if both are computed in the same way from the same values."""
    if a is b or (isinstance(a, Constant) and a == b):
        return True
    if not (isinstance(a, Instruction) and isinstance(b, Instruction)) or not depth or a.opcode not in PURE:
        return False
    if (a.opcode, a.type, a.extra, a.flags) != (b.opcode, b.type, b.extra, b.flags):
        return False
    pairs = zip(a.operands, b.operands, strict=False)
    return len(a.operands) == len(b.operands) and all(_are_equal(x, y, depth - 1) for x, y in pairs)


def _serves(flow: ControlFlow, value: Value, phi: Instruction) -> bool:
    """True if the value is there at the phi, and no loop is left on the way: values leave loops through phis only."""
    if not isinstance(value, Instruction):
        return True
    assert value.block is not None and phi.block is not None
    loop = flow.loop_of[value.block]
    return value is not phi and flow.dominates(value.block, phi.block) and (loop is None or phi.block in loop.blocks)
