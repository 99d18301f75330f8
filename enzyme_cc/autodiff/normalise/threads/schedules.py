"""Divides loops so that each iteration runs once.

`schedule(simd : static, 4)` asks OpenMP's library for chunks that fit vectors, of which it makes one for each thread.
The compiler expects several, and takes the step between them to be 1. So threads run the iterations of others, too. A
program does not notice this if they store the same numbers. But threads would reverse such an iteration at the same
time, and each takes the adjoint of what it stored.
"""

from __future__ import annotations

from ....analysis.callees import plain_name
from ....ir.constants import ConstantInt
from ....ir.folding import int_constant
from ....ir.values import Function
from ....rules.parallel.openmp import BALANCED_CHUNKS, SCHEDULE_MODIFIERS, STATIC_CHUNKS, STATIC_LOOP


def give_each_iteration_once(function: Function) -> None:
    """Asks for chunks in the place of those that fit vectors, in place."""
    for i in function.instructions():
        if i.opcode == "call" and plain_name(i.callee_name).startswith(STATIC_LOOP):
            schedule = i.arguments[2]
            if isinstance(schedule, ConstantInt) and schedule.value & ~SCHEDULE_MODIFIERS == BALANCED_CHUNKS:
                modifiers = schedule.value & SCHEDULE_MODIFIERS
                i.set_operand(2, int_constant(STATIC_CHUNKS | modifiers, schedule.type))
