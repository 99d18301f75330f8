"""Adjoints of loads, stores and atomic operations.

Shadow memory holds the adjoints of numbers in memory. The adjoint of a load adds to it. The adjoint of a store takes
the number there and leaves zero (emit/shadow_access). bulk_adjoints.py handles copies, fills and allocations;
primal_memory.py handles the pointers in shadow memory.
"""

from __future__ import annotations

from ...ir.folding import zero
from ...ir.types import Type
from ...ir.values import Instruction
from ...report.diagnostics import NotOnTeams
from ..emit.shadow_access.scalar_writes import ScalarWrite
from ..emit.shadow_access.taken_adjoints import clear_number
from .mixed_adjoints import clear_after_store
from .reverse_values import ReverseValues


def adjoint_of_load(sweep: ReverseValues, i: Instruction) -> None:
    sweep.memory.add(i, i.operands[0], sweep.take(i))


def adjoint_of_store(sweep: ReverseValues, i: Instruction) -> None:
    value, pointer = i.operands
    carriers = sweep.activity.carriers
    type_ = carriers.stored_type(i)
    if type_ is not None:
        sweep.add(value, sweep.memory.take(i, pointer, type_, carries=value in sweep.activity.varied))
        return
    if carriers.loses_stored_bits(i):
        sweep.memory.refuse_bits(i, value.type, pointer)
    match sweep.memory.scalar(i):
        case ScalarWrite.OVER_OTHERS | ScalarWrite.CONSTANT_OVER_OTHERS:
            clear_after_store(sweep, i)
        case ScalarWrite.CONSTANT:
            clear_number(sweep.memory, i, pointer, value.type)


def adjoint_of_atomicrmw(sweep: ReverseValues, i: Instruction) -> None:
    """Emits the adjoint of an atomic operation.

    It stores old ± value, or the value alone, and returns the old number.
    """
    pointer, value = i.operands
    if i.memory.operation not in _ATOMIC:
        raise sweep.analyses.refusal(i, f"{i.memory.operation} of a number that carries a derivative is atomic")
    type_ = sweep.activity.carriers.stored_type(i)
    assert type_ is not None
    if sweep.memory.state(pointer).is_added_by_team:
        _adjoint_on_team(sweep, i, type_)
        return
    new = sweep.memory.take(i, pointer, type_, carries=value in sweep.activity.varied)
    sweep.add(value, sweep.b.fneg(new) if i.memory.operation == "fsub" else new)
    old = sweep.converted(i, sweep.take(i), type_) if sweep.is_active(i) else zero(type_)
    sweep.memory.add(i, pointer, old if i.memory.operation == "xchg" else sweep.b.fadd(new, old))


def _adjoint_on_team(sweep: ReverseValues, i: Instruction, type_: Type) -> None:
    """Emits the adjoint of an addition that other threads of a team make, too: the sum's adjoint stays where it is."""
    pointer, value = i.operands
    if i.memory.operation == "xchg" or sweep.is_active(i):
        raise NotOnTeams("an atomic operation returns a number that carries a derivative")
    new = sweep.b.load(type_, sweep.shadow_of(pointer), i.memory.align)
    sweep.add(value, sweep.b.fneg(new) if i.memory.operation == "fsub" else new)


#: operations with a linear adjoint
_ATOMIC = frozenset(["fadd", "fsub", "xchg"])
