"""Finds loops in which a thread looks whether another one has changed memory.

while (!ready.load())               a load
    ;
while (lock.test_and_set())         an exchange, which changes nothing until it succeeds
    pause();
while (!ready.load())               one that does something meanwhile, but ends only if another thread changes memory
    count++, work();

A loop waits for what another thread has done if it does nothing but look or give others a turn, and leaves only by what
it has read. Volatile loads count there, too. If the function also exchanges the same place, the loop waits for a lock.
"""

from __future__ import annotations

from typing import NamedTuple

from ..ir.cfg import ControlFlow, Loop
from ..ir.constants import ConstantInt, GlobalRef
from ..ir.graphs import reachable
from ..ir.instructions import ATOMIC_UPDATES, CHANGES_NOTHING, MAKES_VALUE, PURE
from ..ir.values import Block, Function, Instruction, Value
from ..rules.parallel.fibers import YIELDS
from .callees import plain_name

#: the text of functions that have such loops has one of these words
ATOMIC = ("load atomic", "load volatile", "cmpxchg", "atomicrmw")
_PAUSES = frozenset("llvm.x86.sse2.pause llvm.aarch64.hint llvm.aarch64.isb".split())
_IDLE = _PAUSES | YIELDS
#: updates that find the same in memory until another thread changes it
_IDEMPOTENT = frozenset("xchg or and umax umin max min".split())


class SpinLoop(NamedTuple):
    """A loop of this sort. `needs_others`: it surely waits for what another thread has done, and not for a lock."""

    loop: Loop
    needs_others: bool


def spin_loops(function: Function) -> list[SpinLoop]:
    """Returns the loops of this sort."""
    if not any(_looks(i) or "volatile" in i.flags for i in function.instructions()):
        return []
    locks = {_place(i) for i in function.instructions() if i.opcode in ATOMIC_UPDATES and _changes_nothing(i)}
    found = [SpinLoop(loop, _needs_others(loop, locks)) for loop in ControlFlow(function).loops]
    return [f for f in found if f.needs_others or (not f.loop.children and _spins(f.loop)) or _waits(f.loop)]


def _needs_others(loop: Loop, locks: set[Value]) -> bool:
    inside = [i for block in loop.blocks for i in block.instructions]
    looks = {i for i in inside if i.opcode == "load" and not {"atomic", "volatile"}.isdisjoint(i.flags)}
    if any(not _stays(_place(i), loop, set()) or _place(i) in locks for i in looks):
        return False
    exits = {block for block, after in loop.exit_edges if after.terminator.opcode != "unreachable"}
    return all(_idles(i) for i in inside) and bool(exits) and all(_reads_only(block, looks, loop) for block in exits)


def _idles(i: Instruction) -> bool:
    if i.opcode == "call" and isinstance(i.callee, GlobalRef) and plain_name(i.callee.name) in _IDLE:
        return True
    return i.opcode not in ATOMIC_UPDATES and _changes_nothing(i)


def _reads_only(block: Block, looks: set[Instruction], loop: Loop) -> bool:
    """Returns whether nothing but what looks have found decides if the block leaves the loop."""
    made = set(reachable([block.terminator], lambda i: _operands_inside(i, loop) if i not in looks else []))
    others = made - looks - {block.terminator}
    return not made.isdisjoint(looks) and all(i.opcode in PURE for i in others)


def _operands_inside(i: Instruction, loop: Loop) -> list[Instruction]:
    return [o for o in i.operands if isinstance(o, Instruction) and o.block in loop.blocks]


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


def _waits(loop: Loop) -> bool:
    """Returns whether the loop ends only if another thread changes what it looks at, in the same places each time."""
    inside = [i for block in loop.blocks for i in block.instructions]
    own = {_place(i) for i in inside if i.opcode == "store" or (i.opcode in ATOMIC_UPDATES and not _changes_nothing(i))}
    looks = {i for i in inside if _looks(i) and _changes_nothing(i) and _stays(_place(i), loop, own)}
    edges = [(b, after) for b, after in loop.exit_edges if b.terminator.opcode != "invoke"]  # an exception may leave it
    exits = {block for block, after in edges if after.terminator.opcode != "unreachable"}
    return bool(looks and exits) and all(_depends(block, looks, loop) for block in exits)


def _place(i: Instruction) -> Value:
    return i.operands[1 if i.opcode == "store" else 0]


def _stays(place: Value, loop: Loop, own: set[Value]) -> bool:
    """Returns whether an address is the same in each iteration, and not among those that the loop itself writes.

    So is one that is loaded from such a place: closures hold addresses of variables.
    """
    if place in own:
        return False
    if not isinstance(place, Instruction) or place.block not in loop.blocks:
        return True
    is_step = place.opcode == "getelementptr" or (place.opcode == "load" and not _looks(place))
    return is_step and all(_stays(operand, loop, own) for operand in place.operands)


def _depends(block: Block, looks: set[Instruction], loop: Loop) -> bool:
    """Returns whether what a look has found decides if the block leaves the loop."""

    def made_of(i: Instruction) -> list[Instruction]:
        return _operands_inside(i, loop) if i.opcode in MAKES_VALUE or i.is_terminator else []

    return any(i in looks for i in reachable([block.terminator], made_of))
