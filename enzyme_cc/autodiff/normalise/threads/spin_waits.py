"""Lets others run in loops that wait for a change of memory, if threads are fibers (rules/parallel/fibers.py)."""

from __future__ import annotations

from ....analysis.spin_loops import spin_loops
from ....ir.builder import Builder
from ....ir.folding import int_constant, zero
from ....ir.module import Module, global_name
from ....ir.types import PTR
from ....ir.values import Function
from ....rules import runtime_functions as runtime
from ....rules.parallel import fibers

#: what is waited for: a turn of the others (toolchain/runtime/fiber_waits.h)
_TURN = int_constant(0)


def wait_in_spin_loops(source: Module, function: Function) -> None:
    """Gives others a turn in each iteration of such a loop, in place."""
    if not any(global_name(name) in source.functions for name in (fibers.CALL, *fibers.DUALS)):
        return
    for loop in spin_loops(function):
        for latch in loop.latches:
            runtime.FIBER_WAIT.call(Builder.before(latch.terminator), _TURN, zero(PTR), _TURN)
            runtime.FIBER_WAIT.declare(source)
