"""Calls of parallel regions: a fork of OpenMP's library, in the form that differentiation assumes.

normalise/threads/forks.py makes a plain call of the region's function of it. So all analyses see what the region does,
as if one thread did it. Its first operand stands for what the library passes. The second is the place, of which the
function makes no use.
"""

from __future__ import annotations

from ..ir.values import Instruction, Value
from ..rules.parallel import fibers
from ..rules.parallel.openmp import DUALS, Dual
from .callees import Callees, plain_name

#: the attribute of such a call
REGION = '"ez-region"'
#: the operands that are no captures
LEADING = 2
#: the attribute of a call that makes a task of its callee: a thread of the team runs it, before the caller has waited
TASK = '"ez-task"'

#: the attribute of a call that makes a thread of its callee, which runs until it would wait (rules/parallel/fibers.py)
THREAD = '"ez-thread"'


def is_region_call(i: Instruction) -> bool:
    """True for a call whose callee each thread of a team runs."""
    return i.opcode == "call" and REGION in i.call.attributes


def is_task_call(i: Instruction) -> bool:
    """True for a call that a thread of a team runs as a task."""
    return i.opcode == "call" and TASK in i.call.attributes


def is_thread_call(i: Instruction) -> bool:
    """True for a call that a thread runs which it makes: the rest of it may run while the caller waits."""
    return i.opcode == "call" and THREAD in i.call.attributes


def runs_apart(i: Instruction) -> bool:
    """True for a call that has a stack and a tape of its own."""
    return is_task_call(i) or is_thread_call(i)


def place_of_region(call: Instruction) -> Value:
    """Returns the operand that describes the region's place in the source, for OpenMP's library."""
    return call.arguments[1]


def dual_of(callees: Callees, i: Instruction, on_team: bool) -> Dual | None:
    """Returns the dual of a call at which other threads may run; None for any other instruction."""
    if i.opcode != "call":
        return None
    name = plain_name(callees.of(i).name)
    return fibers.DUALS.get(name) or (DUALS.get(name) if on_team else None)
