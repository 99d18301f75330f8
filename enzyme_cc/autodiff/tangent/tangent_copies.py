"""Copies, fills and reallocations of memory in forward mode: each is made in shadow memory too.

A copy out of constant memory moves shadows of pointers, but the tangents of its numbers are zero.
"""

from __future__ import annotations

from ...ir.constants import Constant
from ...ir.folding import int_constant, zero
from ...ir.types import I64, PTR, VOID
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.layouts import float_segments, layout_of, pointer_segments, stride
from ..emit.cloned_calls import shadow_of_returned_pointer
from ..emit.shadow_access.compared_pointers import forget_freed
from ..emit.shadow_access.foreign_numbers import (
    copy_numbers,
    copy_words,
    move_numbers,
)
from ..emit.shadow_access.foreign_pointers import copied_layout, copy_records, move_records, moved_records
from ..emit.shadow_access.mixed_memory import clear_constants
from ..emit.shadow_access.moved_adjoints import refuse_copied_numbers, refuse_recorded_source
from ..emit.shadow_memory import clear, emitted_product, emitted_size, size_operand
from .tangent_cloning import TangentCloning
from .tangent_memory import clone_for_own_shadow, with_operands


def clone_copy(sweep: TangentCloning, i: Instruction) -> None:
    known = sweep.activity.callees.of(i).known
    assert known is not None
    target, source = sweep.activity.callees.copy_operands(i)
    if sweep.activity.shadowed(target):
        for _ in sweep.directions():
            if _has_shadow_memory(sweep, source):
                same = sweep.memory.is_unshadowed(source)
                layout = copied_layout(sweep.memory, i) if sweep.round.keeps_numbers else None
                is_told = sweep.round.keeps_numbers and sweep.memory.is_mixed(i)
                if layout is None and not is_told:
                    _refuse_numbers(sweep, i, same)
                _copy_shadow(sweep, i, sweep.shadow_of(source))
                if same is not None:
                    _clear_numbers(sweep, i, same)
                if layout is not None:
                    copy_numbers(sweep.memory, i, layout)
                elif is_told:
                    copy_words(sweep.memory, i)
                copy_records(sweep.memory, i, source)
            else:
                _copy_constants(sweep, i)
                sweep.memory.clear_recorded(target, emitted_size(sweep, size_operand(sweep.activity, i)))
    sweep.clone_write(i)
    for _ in sweep.directions():
        shadow_of_returned_pointer(sweep, i)


def _refuse_numbers(sweep: TangentCloning, i: Instruction, of_constant: Value | None) -> None:
    """Ends the program if numbers are copied to constant memory behind a global from memory that is not constant."""
    target, _ = sweep.activity.callees.copy_operands(i)
    to_constant = sweep.memory.is_unshadowed(target)
    layout = None if to_constant is None else copied_layout(sweep.memory, i)
    if layout is None or any(True for _ in float_segments(layout)):
        size = sweep.b.resize_int(sweep.of(size_operand(sweep.activity, i)), I64)
        refuse_copied_numbers(sweep.memory, i, to_constant, of_constant, size)
    refuse_recorded_source(sweep.memory, i, of_constant)


def _copy_shadow(sweep: TangentCloning, i: Instruction, source: Value) -> None:
    """Makes the copy from `source` to the shadow of the target."""
    known = sweep.activity.callees.of(i).known
    assert known is not None
    target, _ = sweep.activity.callees.copy_operands(i)
    replaced = {known.target: sweep.shadow_of(target), known.source: source}
    if not i.callee_name.startswith("@llvm.memcpy.inline."):
        replaced[known.length] = _size_there(sweep, i)
    sweep.clone(i, with_operands(sweep, i, replaced))


def _size_there(sweep: TangentCloning, i: Instruction) -> Value:
    """The number of bytes to copy in the shadow: none to constant memory, which may overlap the source."""
    target, _ = sweep.activity.callees.copy_operands(i)
    return sweep.memory.size_there(target, sweep.of(size_operand(sweep.activity, i)))


def _has_shadow_memory(sweep: TangentCloning, pointer: Value) -> bool:
    return isinstance(pointer, Constant) or sweep.activity.shadowed(pointer)


def _copy_constants(sweep: TangentCloning, i: Instruction) -> None:
    """Copies from memory without a shadow: numbers have tangent zero, pointers are their own shadows."""
    target, source = sweep.activity.callees.copy_operands(i)
    size = size_operand(sweep.activity, i)
    pointers = [target, source]
    if sweep.memory.is_mixed(i) or _copies_pointers(sweep, i, pointers, size):
        _copy_shadow(sweep, i, sweep.of(source))
        _clear_numbers(sweep, i, None)
    else:
        clear(sweep.b, sweep.shadow_of(target), sweep.b.resize_int(_size_there(sweep, i), I64))


def _copies_pointers(sweep: TangentCloning, i: Instruction, pointers: list[Value], size: Value) -> bool:
    layout = layout_of(sweep.round, sweep.analyses.function, i, pointers, size)
    return any(True for _ in pointer_segments(layout))


def clone_reallocation(sweep: TangentCloning, i: Instruction) -> None:
    """Reallocates the shadow too. If memory is its own shadow, so is the result."""
    known, old = sweep.activity.callees.of(i).known, sweep.activity.callees.moved_from(i)
    assert known is not None
    wanted = i in sweep.activity.objects
    if wanted and not _has_shadow_memory(sweep, old):
        for _ in sweep.directions():
            sweep.shadow[i] = _first_shadow(sweep, i, old)
        sweep.clone_plain(i)
        return
    constant = [sweep.memory.is_unshadowed_block(old) if wanted else None for _ in sweep.directions()]
    moved_bytes = moved_records(sweep.memory, i, old) if wanted else None
    for _ in sweep.directions():
        if wanted:
            sweep.shadow[i] = clone_for_own_shadow(sweep, i, known.pointer)
    forget_freed(sweep, old)
    sweep.clone_plain(i)
    for direction in sweep.directions():
        same = constant[direction]
        if same is not None:
            moved = sweep.shadow[i]
            sweep.b.call(sweep.round.plain_free(), VOID, (sweep.b.select(same, moved, zero(PTR)),))
            sweep.shadow[i] = sweep.b.select(same, sweep.of(i), moved)
            if moved_bytes is not None:
                move_numbers(sweep.memory, same, sweep.of(i), old, moved_bytes)
                move_records(sweep.memory, old, (sweep.shadow[i], sweep.of(i)), moved_bytes, sweep.of(i))


def _first_shadow(sweep: TangentCloning, i: Instruction, old: Value) -> Value:
    """A shadow for moved memory that had none: numbers have tangent zero, pointers are their own shadows."""
    known = sweep.activity.callees.of(i).known
    assert known is not None
    b, pointers = sweep.b, [i, old]
    size = emitted_product(sweep, [i.arguments[k] for k in known.size_operands])
    moved = runtime.KEPT_BY_REALLOC.call(b, sweep.of(old), size)
    shadow = runtime.ALLOCATE_ZEROED.call(b, size)
    if sweep.memory.is_mixed(i):
        runtime.MIXED_COPY.call(b, shadow, sweep.of(old), moved)
        clear_constants(sweep, pointers, shadow, moved, moved)
        return shadow
    layout = layout_of(sweep.round, sweep.analyses.function, i, pointers, None)
    for segment in pointer_segments(layout):
        runtime.COPY.call(b, shadow, sweep.of(old), moved, *stride(layout, segment, moved))
    return shadow


def _clear_numbers(sweep: TangentCloning, i: Instruction, condition: Value | None) -> None:
    """Zeroes the tangents of the copied numbers, if the condition holds."""
    target, source = sweep.activity.callees.copy_operands(i)
    length = size_operand(sweep.activity, i)
    size = sweep.b.resize_int(_size_there(sweep, i), I64)
    if condition is not None:
        size = sweep.b.select(condition, size, int_constant(0))
    if sweep.memory.is_mixed(i):
        clear_constants(sweep, [target, source], sweep.shadow_of(target), length, size)
        return
    layout = layout_of(sweep.round, sweep.analyses.function, i, [target, source], length)
    for _, segment in float_segments(layout):
        runtime.CLEAR.call(sweep.b, sweep.shadow_of(target), size, *stride(layout, segment, size))


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
