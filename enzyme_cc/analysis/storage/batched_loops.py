"""Finds loops whose reverse can run in batches of iterations: a batch computes what it adds to shadows, then adds it.

The adjoint of a stencil adds to neighbours that other iterations add to as well. LLVM vectorises no such loop. In a
batch, what one load adds waits in a buffer. LLVM vectorises both parts then. Sums may be added in any order, so the
iterations may also run in the order of the primal.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.cfg import Loop
from ...ir.instructions import ACCESSES, FLOAT_SUMS, FUSED, PURE
from ...ir.types import FloatType, store_size
from ...ir.values import Instruction, Value
from ..integers.offsets import base_of
from .apart_additions import MayAlias
from .regions import stride

#: a loop with fewer additions to one array has no neighbours
_LEAST = 2


def batched_loads(
    loop: Loop,
    has_work: Callable[[Instruction], bool],
    is_pure_call: Callable[[Instruction], bool],
    is_plain: Callable[[Instruction], bool],
    may_alias: MayAlias,
) -> list[Instruction]:
    """Returns the loads whose adjoints can wait, if all of the loop's can, and LLVM would not vectorise it; else none.

    - `has_work`: the instruction has an adjoint, or is undone;
    - `is_pure_call`: the adjoint of the call accesses no memory;
    - `is_plain`: the access is of a number, and what its adjoint does to the shadow is one addition or one taking.
    """
    if len(loop.blocks) != 1 or len(loop.exit_edges) != 1:
        return []
    working = [i for i in loop.header.instructions if has_work(i)]
    phis = [i for i in working if i.opcode == "phi"]
    working = [i for i in working if i.opcode != "phi"]
    if not all(_is_sum(phi, loop) for phi in phis):
        return []
    loads = [i for i in working if i.opcode == "load"]
    stores = [i for i in working if i.opcode == "store"]
    others = (i for i in working if i.opcode not in ACCESSES)
    if not _has_neighbours(loads) or not all(i.opcode in PURE or is_pure_call(i) for i in others):
        return []
    if not all(is_plain(i) and _is_dense(i, loop) for i in (*loads, *stores)):
        return []
    pairs = ((s, x) for s in stores for x in (*loads, *stores) if s is not x)
    if any(may_alias(s.accessed_pointer, None, x.accessed_pointer, None) for s, x in pairs):
        return []
    return loads


def _is_sum(phi: Instruction, loop: Loop) -> bool:
    """True if iterations do nothing but add to the phi's number: its adjoint is the same in all of them."""
    latch = loop.latches[0]
    end = next(value for value, block in phi.incoming if block is latch)
    value: Value = phi
    while value is not end:
        users = [user for user in value.users if user.block is latch] if isinstance(value, Instruction) else []
        if len(users) != 1 or not _adds_to(users[0], value):
            return False
        value = users[0]
    assert isinstance(value, Instruction)
    return value is not phi and all(user is phi or user.block is not latch for user in value.users)


def _adds_to(i: Instruction, value: Value) -> bool:
    """True if the result is the value plus, or minus, something else."""
    if i.is_call:
        return i.callee_name.startswith(FUSED) and [a is value for a in i.arguments] == [False, False, True]
    operands = [o is value for o in i.operands]
    if operands == [True, False]:
        return i.opcode in FLOAT_SUMS
    return i.opcode == "fadd" and operands == [False, True]


def _has_neighbours(loads: list[Instruction]) -> bool:
    bases = [base_of(load.operands[0]) for load in loads]
    return any(bases.count(base) >= _LEAST for base in set(bases))


def _is_dense(access: Instruction, loop: Loop) -> bool:
    """True if each iteration accesses the number behind that of the iteration before."""
    type_ = access.accessed_type
    if not isinstance(type_, FloatType) or access.flags:
        return False
    return stride(access.accessed_pointer, loop) == store_size(type_)
