"""Copies and reallocations in forward mode: the tangents that move, and those that become zero.

A copy out of constant memory moves shadows of pointers, but the tangents of its numbers are zero.
"""

from __future__ import annotations

from collections.abc import Callable

from ....ir.constants import Constant
from ....ir.folding import int_constant, zero
from ....ir.types import I64, PTR, VOID
from ....ir.values import Instruction, Value
from ....rules import runtime_functions as runtime
from ...core.layouts import float_segments, layout_of, pointer_segments, stride
from ..shadow_memory import clear, emitted_product, emitted_size, size_operand
from .bulk_writes import mixing_at
from .foreign_numbers import clear_recorded, copy_numbers, copy_words, move_numbers
from .foreign_pointers import copied_layout, copy_records, move_records
from .mixed_memory import clear_constants
from .moved_adjoints import refuse_copied_numbers, refuse_recorded_source
from .whose_shadow import WhoseShadow

#: emits a copy to the shadow of the target, from the shadow of the source or from the source itself
ShadowCopy = Callable[[Value], None]


def has_shadow_memory(access: WhoseShadow, pointer: Value) -> bool:
    """Returns whether there is memory to copy from. Constants have shadows of zeros."""
    return isinstance(pointer, Constant) or access.activity.shadowed(pointer)


def copy_tangents(access: WhoseShadow, i: Instruction, copy: ShadowCopy) -> None:
    """Emits what a copy, whose target has a shadow, does there."""
    target, source = access.activity.callees.copy_operands(i)
    if has_shadow_memory(access, source):
        _copy_shadows(access, i, copy)
        return
    _copy_constants(access, i, copy)
    clear_recorded(access, target, emitted_size(access.sweep, size_operand(access.activity, i)))


def _copy_shadows(access: WhoseShadow, i: Instruction, copy: ShadowCopy) -> None:
    _, source = access.activity.callees.copy_operands(i)
    same = access.is_unshadowed(source)
    layout = copied_layout(access, i) if access.foreign.records_numbers else None
    is_tagged = access.foreign.records_numbers and mixing_at(access.sweep.analyses, i) is not None
    if layout is None and not is_tagged:
        _refuse_numbers(access, i, same)
    copy(access.sweep.shadow_of(source))
    if same is not None:
        clear_numbers(access, i, same)
    if layout is not None:
        copy_numbers(access, i, layout)
    elif is_tagged:
        copy_words(access, i)
    copy_records(access, i, source)


def _refuse_numbers(access: WhoseShadow, i: Instruction, of_source: Value | None) -> None:
    """Ends the program if numbers with derivatives are copied to unshadowed memory."""
    target, _ = access.activity.callees.copy_operands(i)
    same = access.is_unshadowed(target)
    layout = None if same is None else copied_layout(access, i)
    if layout is None or any(True for _ in float_segments(layout)):
        size = emitted_size(access.sweep, size_operand(access.activity, i))
        refuse_copied_numbers(access, i, same, of_source, size)
    refuse_recorded_source(access, i, of_source)


def _copy_constants(access: WhoseShadow, i: Instruction, copy: ShadowCopy) -> None:
    """Copies from memory without a shadow: numbers have tangent zero, pointers are their own shadows."""
    target, source = access.activity.callees.copy_operands(i)
    if mixing_at(access.sweep.analyses, i) is not None or _copies_pointers(access, i):
        copy(access.sweep.of(source))
        clear_numbers(access, i, None)
    else:
        clear(access.sweep.b, access.sweep.shadow_of(target), _size_there(access, i))


def _copies_pointers(access: WhoseShadow, i: Instruction) -> bool:
    pointers, size = list(access.activity.callees.copy_operands(i)), size_operand(access.activity, i)
    layout = layout_of(access.round, access.sweep.analyses.function, i, pointers, size)
    return any(True for _ in pointer_segments(layout))


def _size_there(access: WhoseShadow, i: Instruction) -> Value:
    """Returns the number of bytes to copy in the shadow: none to constant memory, which may overlap the source."""
    target, _ = access.activity.callees.copy_operands(i)
    size = access.size_there(target, access.sweep.of(size_operand(access.activity, i)))
    return access.sweep.b.resize_int(size, I64)


def clear_numbers(access: WhoseShadow, i: Instruction, condition: Value | None) -> None:
    """Zeroes the tangents of the copied numbers, if the condition holds."""
    sweep, pointers = access.sweep, list(access.activity.callees.copy_operands(i))
    length, size = size_operand(access.activity, i), _size_there(access, i)
    if condition is not None:
        size = sweep.b.select(condition, size, int_constant(0))
    if mixing_at(sweep.analyses, i) is not None:
        clear_constants(sweep, pointers, sweep.shadow_of(pointers[0]), length, size)
        return
    layout = layout_of(access.round, sweep.analyses.function, i, pointers, length)
    for _, segment in float_segments(layout):
        runtime.CLEAR.call(sweep.b, sweep.shadow_of(pointers[0]), size, *stride(layout, segment, size))


# -- reallocations


def first_shadow(access: WhoseShadow, i: Instruction, old: Value) -> Value:
    """Emits a shadow for moved memory that had none: numbers have tangent zero, pointers are their own shadows."""
    sweep, known, pointers = access.sweep, access.activity.callees.of(i).known, [i, old]
    assert known is not None
    size = emitted_product(sweep, [i.arguments[k] for k in known.size_operands])
    moved = runtime.KEPT_BY_REALLOC.call(sweep.b, sweep.of(old), size)
    shadow = runtime.ALLOCATE_ZEROED.call(sweep.b, size)
    if mixing_at(sweep.analyses, i) is not None:
        runtime.MIXED_COPY.call(sweep.b, shadow, sweep.of(old), moved)
        clear_constants(sweep, pointers, shadow, moved, moved)
        return shadow
    layout = layout_of(access.round, sweep.analyses.function, i, pointers, None)
    for segment in pointer_segments(layout):
        runtime.COPY.call(sweep.b, shadow, sweep.of(old), moved, *stride(layout, segment, moved))
    return shadow


def shadow_of_moved(access: WhoseShadow, i: Instruction, moved: Value, same: Value | None, size: Value | None) -> Value:
    """Returns the shadow of reallocated memory: the memory itself, if the old memory was unshadowed (`same`).

    `moved`: the reallocated shadow. `size`: how many bytes were moved; None if nothing is recorded of them.
    """
    sweep = access.sweep
    if same is None:
        return moved
    old = access.activity.callees.moved_from(i)
    sweep.b.call(access.round.plain_free(), VOID, (sweep.b.select(same, moved, zero(PTR)),))
    shadow = sweep.b.select(same, sweep.of(i), moved)
    if size is not None:
        move_numbers(access, same, sweep.of(i), old, size)
        move_records(access, old, (shadow, sweep.of(i)), size, sweep.of(i))
    return shadow
