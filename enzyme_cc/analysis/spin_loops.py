"""Finds loops in which a thread does nothing but look whether another one has changed memory.

while (!ready.load())               a load
    ;
while (lock.test_and_set())         an exchange, which changes nothing until it succeeds
    pause();
"""

from __future__ import annotations

from ..ir.cfg import ControlFlow, Loop
from ..ir.constants import ConstantInt, GlobalRef
from ..ir.instructions import ATOMIC_UPDATES, CHANGES_NOTHING
from ..ir.values import Function, Instruction
from .callees import plain_name

#: the text of functions that have such loops has one of these words
ATOMIC = ("load atomic", "cmpxchg", "atomicrmw")
_PAUSES = frozenset("llvm.x86.sse2.pause llvm.aarch64.hint llvm.aarch64.isb".split())
#: updates that find the same in memory until another thread changes it
_IDEMPOTENT = frozenset("xchg or and umax umin max min".split())


def spin_loops(function: Function) -> list[Loop]:
    """Returns the innermost loops of this sort."""
    if not any(_looks(i) for i in function.instructions()):
        return []
    return [loop for loop in ControlFlow(function).loops if not loop.children and _spins(loop)]


def _looks(i: Instruction) -> bool:
    return i.opcode in ATOMIC_UPDATES or (i.opcode == "load" and "atomic" in i.flags)


def _spins(loop: Loop) -> bool:
    found = [i for block in loop.blocks for i in block.instructions]
    return any(_looks(i) for i in found) and all(_changes_nothing(i) for i in found)


def _changes_nothing(i: Instruction) -> bool:
    if i.opcode == "cmpxchg":
        return all(isinstance(operand, ConstantInt) for operand in i.operands[1:])
    if i.opcode == "atomicrmw":
        return i.memory.operation in _IDEMPOTENT and isinstance(i.operands[1], ConstantInt)
    if i.opcode == "call":
        return isinstance(i.callee, GlobalRef) and plain_name(i.callee.name) in _PAUSES
    return i.opcode in CHANGES_NOTHING
