"""Copies, fills and reallocations of memory in forward mode: each is made in shadow memory too."""

from __future__ import annotations

from ...ir.types import I64
from ...ir.values import Instruction, Value
from ..emit.cloned_calls import shadow_of_returned_pointer
from ..emit.shadow_access.compared_pointers import forget_freed
from ..emit.shadow_access.foreign_pointers import moved_records
from ..emit.shadow_access.moved_tangents import first_shadow, has_shadow_memory, shadow_of_moved
from ..emit.shadow_memory import clear, size_operand
from .tangent_cloning import TangentCloning
from .tangent_memory import clone_for_shadow, with_operands


def clone_copy(sweep: TangentCloning, i: Instruction) -> None:
    target, _ = sweep.activity.callees.copy_operands(i)
    if sweep.activity.shadowed(target):
        for _ in sweep.directions():
            sweep.memory.copy(i, lambda source: _copy_shadow(sweep, i, source))
    sweep.clone_write(i)
    for _ in sweep.directions():
        shadow_of_returned_pointer(sweep, i)


def _copy_shadow(sweep: TangentCloning, i: Instruction, source: Value) -> None:
    """Makes the copy from `source` to the shadow of the target: none to unshadowed memory, which may overlap it."""
    known = sweep.activity.callees.of(i).known
    assert known is not None
    target, _ = sweep.activity.callees.copy_operands(i)
    replaced = {known.target: sweep.shadow_of(target), known.source: source}
    if not i.callee_name.startswith("@llvm.memcpy.inline."):
        replaced[known.length] = sweep.memory.size_there(target, sweep.of(size_operand(sweep.activity, i)))
    sweep.clone(i, with_operands(sweep, i, replaced))


def clone_reallocation(sweep: TangentCloning, i: Instruction) -> None:
    """Reallocates the shadow too. If memory is unshadowed, so is the result."""
    old = sweep.activity.callees.moved_from(i)
    if i not in sweep.activity.objects:
        forget_freed(sweep, old)
        sweep.clone_plain(i)
    elif not has_shadow_memory(sweep.memory, old):
        for _ in sweep.directions():
            sweep.shadow[i] = first_shadow(sweep.memory, i, old)
        sweep.clone_plain(i)
    else:
        _reallocate_both(sweep, i, old)


def _reallocate_both(sweep: TangentCloning, i: Instruction, old: Value) -> None:
    known = sweep.activity.callees.of(i).known
    assert known is not None
    tests = [sweep.memory.is_unshadowed_block(old) for _ in sweep.directions()]
    size = moved_records(sweep.memory, i, old)
    for _ in sweep.directions():
        sweep.shadow[i] = clone_for_shadow(sweep, i, known.pointer)
    forget_freed(sweep, old)
    sweep.clone_plain(i)
    for direction in sweep.directions():
        sweep.shadow[i] = shadow_of_moved(sweep.memory, i, sweep.shadow[i], tests[direction], size)


def clone_fill(sweep: TangentCloning, i: Instruction) -> None:
    """Fills the shadow with zeros: the bytes are constants, and only null is a pointer of equal bytes."""
    target = i.arguments[0]
    if sweep.activity.shadowed(target):
        size = sweep.b.resize_int(sweep.of(size_operand(sweep.activity, i)), I64)
        for _ in sweep.directions():
            clear(sweep.b, sweep.shadow_of(target), size)
            sweep.memory.clear_recorded(target, size)
    sweep.clone_write(i)
    for _ in sweep.directions():
        shadow_of_returned_pointer(sweep, i)
