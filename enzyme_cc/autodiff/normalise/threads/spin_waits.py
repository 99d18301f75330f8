"""Lets others run in loops that wait for a change of memory, if threads are fibers (rules/parallel/fibers.py).

A loop that waits for what another thread has done goes on only if there is another one. Otherwise, a thread that the
program made before the request would do the work, and that work has no derivative: the program ends with a message.
"""

from __future__ import annotations

from ....analysis.spin_loops import SpinLoop, spin_loops
from ....ir.builder import Builder
from ....ir.folding import int_constant, zero
from ....ir.module import Module, global_name
from ....ir.types import I1, I64, PTR
from ....ir.values import Block, Function, Value
from ....rules import runtime_functions as runtime
from ....rules.parallel import fibers

#: what is waited for: a turn of the others (toolchain/runtime/fiber_waits.h)
_TURN = int_constant(0)


def wait_in_spin_loops(source: Module, function: Function) -> None:
    """Gives others a turn in each iteration of such a loop, in place."""
    has_fibers = any(global_name(name) in source.functions for name in (fibers.CALL, *fibers.DUALS))
    for found in spin_loops(function):
        for latch in found.loop.latches if has_fibers or found.needs_others else ():
            b = Builder.before(latch.terminator)
            runtime.FIBER_WAIT.call(b, _TURN, zero(PTR), _needs_others(b, found, latch))
            runtime.FIBER_WAIT.declare(source)


def _needs_others(b: Builder, found: SpinLoop, latch: Block) -> Value:
    """Emits whether the loop goes on, and only others can end it."""
    if not found.needs_others or len(latch.successors) == 1:
        return int_constant(int(found.needs_others))
    condition, last = latch.terminator.operands[0], latch.terminator
    if last.opcode != "br":
        return _TURN
    is_first = latch.successors[0] is found.loop.header
    goes_on = condition if is_first else b.int_op("xor", condition, int_constant(1, I1))
    return b.cast("zext", goes_on, I64)
