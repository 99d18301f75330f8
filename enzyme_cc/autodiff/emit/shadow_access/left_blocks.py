"""Shadows of heap blocks that a derivative leaves behind pointers in memory without a shadow.

The work space of a handle is an example: the function allocates it, stores its address in the handle, and a later call
frees it. The later call may be part of another request, for which the work space is constant memory. So the runtime
(owned_shadows.c) keeps the shadow of each block whose address is stored where it was allocated.
"""

from __future__ import annotations

from ....analysis.callees import plain_name
from ....analysis.values.flow import ends
from ....ir.folding import int_constant, is_zero
from ....ir.types import PTR
from ....ir.value_edges import PASSED
from ....ir.values import Instruction, Value
from ....rules import runtime_functions as runtime
from ....rules.knowledge import CalleeKind
from ....rules.memory_functions import heap_family, release_of_family
from .whose_shadow import WhoseShadow


def record_left(access: WhoseShadow, i: Instruction, same: Value) -> None:
    """Emits what follows the store of an address in unshadowed memory if `same`."""
    families = _families(access, i.operands[0])
    if len(families) != 1 or not access.foreign.records_pointers:
        return
    sweep, b, block = access.sweep, access.sweep.b, access.sweep.of(i.operands[0])
    release = access.round.library_function(release_of_family(families.pop()))
    shadow, direction = sweep.shadow_of(i.operands[0]), int_constant(sweep.direction)
    runtime.OWNED_MADE.call(b, access.flag(same), block, shadow, release, direction)


def _families(access: WhoseShadow, value: Value) -> set[str]:
    """Returns the heaps that the value, if it is not null, is a new block of; none if it may be something else."""
    found = set[str]()
    for v in ends([value], PASSED):
        if is_zero(v):
            continue
        callee = access.activity.callees.of(v) if isinstance(v, Instruction) and v.opcode == "call" else None
        family = heap_family(plain_name(callee.name)) if callee is not None else None
        if callee is None or family is None or callee.kind not in (CalleeKind.ALLOCATE, CalleeKind.REALLOCATE):
            return set()
        found.add(family)
    return found


def freed_with(access: WhoseShadow, pointer: Value) -> Value:
    """Emits the look-up of the shadow that is freed with a block: null for constant memory."""
    shadow, sweep = access.other_shadow(pointer), access.sweep
    if not access.foreign.records_pointers or shadow.type != PTR:
        return shadow
    return runtime.OWNED_FREED.call(sweep.b, sweep.of(pointer), shadow, int_constant(sweep.direction))
