"""Memory in the primal sweep: shadows of allocations, and copies of the pointers in shadow memory.

The reverse sweep handles the numbers in shadow memory (memory_adjoints.py, bulk_adjoints.py).
"""

from __future__ import annotations

from ...analysis.callees import Callee, plain_name
from ...analysis.storage.needs import Need, NeedKind
from ...analysis.type_analysis.analysis import Layout
from ...analysis.type_analysis.evidence.places import WORD
from ...ir.folding import int_constant, zero
from ...ir.types import I64, PTR
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ...rules.knowledge import Known
from ...rules.memory_functions import heap_family, takes_alignment
from ..core.layouts import Stride, layout_of, pointer_segments, stride
from ..core.mixed_words import Clearing, clear_tagged
from ..emit.shadow_access.bulk_writes import BulkWrite, pointers_of
from ..emit.shadow_access.foreign_numbers import record_copied, record_copied_words
from ..emit.shadow_access.foreign_pointers import move_records
from ..emit.shadow_memory import allocated_size, clear, distance_apart, emitted_product, emitted_size, size_operand
from . import releases, replaced_pointers
from .mixed_adjoints import clear_before_write, copy_mixed_shadow, copy_tagged_shadow
from .tape_allocation import TapedCloning

# -- copies and fills


def copies_shadow_first(sweep: TapedCloning, i: Instruction) -> bool:
    """Returns True if what a copy moves is told by the words that it overwrites, so that the shadow is copied first."""
    is_shadowed = sweep.activity.shadowed(sweep.activity.callees.copy_operands(i)[0])
    return is_shadowed and sweep.memory.bulk(i) is BulkWrite.BY_WORDS


def copy_shadow_pointers(sweep: TapedCloning, i: Instruction) -> None:
    """Copies the pointers in the shadow of the source to the shadow of the target."""
    if sweep.activity.shadowed(pointers_of(sweep.analyses, i)[0]):
        _COPIES[sweep.memory.bulk(i)](sweep, i, emitted_size(sweep, size_operand(sweep.activity, i)))


def _clear_all(sweep: TapedCloning, i: Instruction, size: Value) -> None:
    clear(sweep.b, sweep.shadow_of(pointers_of(sweep.analyses, i)[0]), size)


def _copy_by_shadow(sweep: TapedCloning, i: Instruction, size: Value) -> None:
    target, source = sweep.activity.callees.copy_operands(i)
    to, origin = sweep.shadow_of(target), sweep.shadow_of(source)
    copy_mixed_shadow(sweep, i, [target, source], to, origin, size, sweep.memory.constant_bytes(source, size))


def _copy_by_words(sweep: TapedCloning, i: Instruction, size: Value) -> None:
    target, source = sweep.activity.callees.copy_operands(i)
    record_copied_words(sweep.memory, i)
    to, size = sweep.shadow_of(target), sweep.memory.size_there(target, size)
    copy_tagged_shadow(sweep, i, [target, source], to, size_operand(sweep.activity, i), size)


def _copy_over_others(sweep: TapedCloning, i: Instruction, size: Value) -> None:
    layout = _layout(sweep, i)
    clear_before_write(sweep, pointers_of(sweep.analyses, i)[0], size)
    _copy_with_layout(sweep, i, layout, size)


def _copy_typed(sweep: TapedCloning, i: Instruction, size: Value) -> None:
    _copy_with_layout(sweep, i, _layout(sweep, i), size)


_COPIES = {
    BulkWrite.UNTYPED: _clear_all,
    BulkWrite.BY_SHADOW: _copy_by_shadow,
    BulkWrite.BY_WORDS: _copy_by_words,
    BulkWrite.OVER_OTHERS: _copy_over_others,
    BulkWrite.TYPED: _copy_typed,
}


def _layout(sweep: TapedCloning, i: Instruction) -> Layout:
    pointers, length = pointers_of(sweep.analyses, i), size_operand(sweep.activity, i)
    return layout_of(sweep.round, sweep.analyses.function, i, pointers, length)


def _copy_with_layout(sweep: TapedCloning, i: Instruction, layout: Layout, size: Value) -> None:
    target, source = sweep.activity.callees.copy_operands(i)
    record_copied(sweep.memory, i, layout)
    size = sweep.memory.size_there(target, size)
    to, origin = sweep.shadow_of(target), sweep.shadow_of(source)
    segments = [stride(layout, segment, size) for segment in pointer_segments(layout)]
    if len(segments) > 1 and layout.period is None and "memmove" in i.callee_name:
        segments = _in_order(sweep, to, origin, segments)
    for segment in segments:
        runtime.COPY.call(sweep.b, to, origin, size, *segment)


def _in_order(sweep: TapedCloning, to: Value, origin: Value, segments: list[Stride]) -> list[Stride]:
    """Returns the segments from the last one on if the target lies behind the source: the two may overlap."""
    is_behind = sweep.b.icmp("ugt", to, origin)
    return [
        (early[0], sweep.b.select(is_behind, late[1], early[1]), sweep.b.select(is_behind, late[2], early[2]))
        for early, late in zip(segments, reversed(segments), strict=True)
    ]


def fill_shadow_pointers(sweep: TapedCloning, i: Instruction) -> None:
    """Clears the pointers in the shadow of filled memory."""
    if sweep.activity.shadowed(i.arguments[0]):
        _FILLS[sweep.memory.bulk(i)](sweep, i, emitted_size(sweep, size_operand(sweep.activity, i)))


def _fill_tagged(sweep: TapedCloning, i: Instruction, size: Value) -> None:
    target, length = i.arguments[0], size_operand(sweep.activity, i)
    memory = Clearing(target, length, sweep.memory.size_there(target, size), True)
    clear_tagged(sweep.round, sweep.b, sweep.shadow_of(target), memory)


def _fill_over_others(sweep: TapedCloning, i: Instruction, size: Value) -> None:
    clear_before_write(sweep, i.arguments[0], size)


def _fill_typed(sweep: TapedCloning, i: Instruction, size: Value) -> None:
    target, layout = i.arguments[0], _layout(sweep, i)
    there = sweep.memory.size_there(target, size)
    for segment in pointer_segments(layout):
        runtime.CLEAR.call(sweep.b, sweep.shadow_of(target), there, *stride(layout, segment, size))


_FILLS = {
    BulkWrite.UNTYPED: _clear_all,
    BulkWrite.BY_SHADOW: _clear_all,
    BulkWrite.BY_WORDS: _fill_tagged,
    BulkWrite.OVER_OTHERS: _fill_over_others,
    BulkWrite.TYPED: _fill_typed,
}


# -- allocation


def allocate_shadow(sweep: TapedCloning, i: Instruction) -> None:
    """Allocates the shadow as the primal allocates its memory, and zeroes it.

    That of a block which only this call uses and frees is memory of the tape: it costs less than a block of the heap,
    which the heap may give back to the system with each call.
    """
    if i in sweep.analyses.own_blocks:
        _allocate_on_tape(sweep, i)
        return
    callee = sweep.activity.callees.of(i)
    operands = [sweep.of(o) for o in i.operands]
    if heap_family(plain_name(callee.name)) == "malloc" and sweep.memory.holds_others(i, None):
        operands[0] = _whole_words(sweep, operands[0])
    shadow = sweep.clone(i, operands)
    sweep.shadow[i] = shadow
    if callee.known is None or callee.known.copies is not None:
        return
    if not _is_zeroed(callee):
        clear(sweep.b, shadow, allocated_size(sweep, i))
    replaced_pointers.record_made(sweep, i, shadow, allocated_size(sweep, i))


def _allocate_on_tape(sweep: TapedCloning, i: Instruction) -> None:
    size = _whole_words(sweep, allocated_size(sweep, i))
    sweep.shadow[i] = sweep.allocate_tape(sweep.b, distance_apart(sweep.b, size))
    sweep.report(sweep.b, sweep.round.source.source_location(i), size)
    clear(sweep.b, sweep.shadow[i], size)


def _whole_words(sweep: TapedCloning, size: Value) -> Value:
    """Returns the size up to the next whole word: of a shadow that may hold pointers, whole words are cleared."""
    rest = int_constant(WORD - 1)
    return sweep.b.emit("and", I64, (sweep.b.add(size, rest), int_constant(-WORD)))


def _is_zeroed(callee: Callee) -> bool:
    return callee.known is not None and callee.known.zeroed


def defer_free(sweep: TapedCloning, i: Instruction) -> None:
    """Defers a release to the end of the reverse sweep. The primal's function frees the memory and its shadow."""
    known = sweep.activity.callees.of(i).known
    assert known is not None
    pointer = i.arguments[known.pointer]
    if sweep.round.is_registered(i):
        releases.defer(sweep, i, known.pointer)
        return
    if known.shadow_only:
        sweep.clone_plain(i)
    else:
        runtime.DEFER_FREE.call(sweep.b, sweep.frame.arena, *_deferred(sweep, i, known, sweep.of(pointer)))
    has_shadow_to_free = sweep.activity.shadowed(pointer) and not sweep.analyses.frees_own_block(i)
    for _ in sweep.directions() if has_shadow_to_free else ():
        shadow = sweep.memory.shadow_to_free(pointer)
        replaced_pointers.release_shadow(sweep, pointer, shadow, *_deferred(sweep, i, known, shadow))
        sweep.memory.freed(shadow)


def _deferred(sweep: TapedCloning, i: Instruction, known: Known, memory: Value) -> tuple[Value, Value]:
    """Returns what the release of a block is given, and the function that releases it.

    Memory with an alignment of its own is freed with the alignment.
    """
    callee = sweep.activity.callees.of(i)
    if takes_alignment(plain_name(callee.name)):
        return releases.packed_call(sweep, i, known.pointer, memory)
    if known.release_operand is not None:
        return memory, sweep.of(i.arguments[known.release_operand])
    return memory, sweep.round.free_function(callee)


def reallocate(sweep: TapedCloning, i: Instruction) -> None:
    """Replaces realloc by an allocation and a copy. The old memory is freed at the end of the reverse sweep."""
    b = sweep.b
    known, old = sweep.activity.callees.of(i).known, sweep.activity.callees.moved_from(i)
    assert known is not None
    size = emitted_product(sweep, [i.arguments[k] for k in known.size_operands])
    moved = runtime.KEPT_BY_REALLOC.call(b, sweep.of(old), size)
    sweep.save(Need(NeedKind.SIZE, i), lambda: moved)
    for _ in sweep.directions() if i in sweep.activity.objects else ():
        shadow_old = sweep.shadow_of(old)
        new_shadow = sweep.shadow[i] = runtime.ALLOCATE_ZEROED.call(b, size)
        replaced_pointers.record_made(sweep, i, new_shadow, size)
        _move_shadow(sweep, i, new_shadow, shadow_old, moved)
        move_records(sweep.memory, old, (new_shadow, zero(PTR)), moved, sweep.of(old))
        own = sweep.memory.shadow_to_free(old) if sweep.activity.shadowed(old) else zero(PTR)
        replaced_pointers.release_shadow(sweep, old, own, own, sweep.round.plain_free())
    sweep.primal[i] = runtime.REALLOCATE.call(b, sweep.frame.arena, sweep.of(old), size)


def _move_shadow(sweep: TapedCloning, i: Instruction, new: Value, old: Value, size: Value) -> None:
    """Copies the pointers in the shadow of reallocated memory."""
    pointers = [i, sweep.activity.callees.moved_from(i)]
    match sweep.memory.bulk(i):
        case BulkWrite.BY_SHADOW:
            copy_mixed_shadow(sweep, i, pointers, new, old, size, sweep.memory.constant_bytes(pointers[1], size))
        case BulkWrite.BY_WORDS:
            copy_tagged_shadow(sweep, i, pointers, new, None, size)
        case _:
            layout = layout_of(sweep.round, sweep.analyses.function, i, pointers, None)
            for segment in pointer_segments(layout):
                runtime.COPY.call(sweep.b, new, old, size, *stride(layout, segment, size))
