"""Pointers that a derivative stores in memory without a shadow.

A global or a constant argument pointed to it when the derivative was called. An example is the handle of a library,
made before, in which the differentiated function stores the address of its data.
Such memory is unshadowed, so the runtime (no_shadow.c) records the shadows of these pointers in a table. Where a
pointer is loaded from such memory, or copied out of it, the table has its shadow. foreign_numbers.py is about numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from ....analysis.type_analysis.analysis import Layout
from ....ir.builder import Builder
from ....ir.folding import int_constant
from ....ir.leaves import word_leaves
from ....ir.types import I1, PTR, IntType, Type, VectorType, alloc_size, scalar
from ....ir.values import Instruction, Value
from ....rules import runtime_functions as runtime
from ...core.layouts import constant_size, find_layout, pointer_segments, stride
from ...globals.foreign_refusals import refuse_pointer
from ..shadow_memory import emitted_product, emitted_size, size_operand
from .bulk_writes import mixing_at
from .left_blocks import record_left
from .whose_shadow import WhoseShadow


class _Word(Struct, frozen=True):
    """A pointer in a value, or an integer that may carry one: indices, the lane of a vector, the first byte."""

    indices: tuple[int, ...]
    lane: int | None
    offset: int

    def of(self, b: Builder, value: Value) -> Value:
        """Returns the pointer there."""
        part = b.extract_value(value, *self.indices) if self.indices else value
        word = part if self.lane is None else b.lane(part, self.lane)
        return b.cast("inttoptr", word, PTR) if isinstance(word.type, IntType) else word

    def put(self, b: Builder, value: Value, pointer: Value) -> Value:
        """Returns the value with another pointer there."""
        part = b.extract_value(value, *self.indices) if self.indices else value
        type_ = scalar(part.type)
        word = b.cast("ptrtoint", pointer, type_) if isinstance(type_, IntType) else pointer
        part = word if self.lane is None else b.with_lane(part, word, self.lane)
        return b.insert_value(value, part, *self.indices) if self.indices else part


def _words(type_: Type) -> Iterator[_Word]:
    for indices, part, offset in word_leaves(type_):
        if isinstance(part, VectorType):
            size = alloc_size(part.element)
            yield from (_Word(indices, lane, offset + lane * size) for lane in range(part.count))
        else:
            yield _Word(indices, None, offset)


def record_pointers(access: WhoseShadow, i: Instruction) -> None:
    """Emits the record of stored pointers. A derivative that is differentiated again ends the program instead."""
    value, pointer = i.operands
    if not access.activity.shadowed(value):
        return
    same = access.is_unshadowed(pointer)
    if same is None:
        return
    sweep, b = access.sweep, access.sweep.b
    whole, whole_shadow = sweep.of(value), sweep.shadow_of(value)
    for word in _words(value.type):
        stored, shadow = word.of(b, whole), word.of(b, whole_shadow)
        if access.foreign.records_pointers:
            if not word.indices and word.lane is None:
                record_left(access, i, same)
            at = b.offset(sweep.of(pointer), word.offset, ())
            runtime.FOREIGN_STORE.call(b, access.flag(same), at, stored, shadow, int_constant(sweep.direction))
        else:
            refuse_pointer(access.round, b, i, same, stored, shadow)


def loaded_shadow(access: WhoseShadow, i: Instruction, shadow: Value) -> Value:
    """Returns the shadow of a loaded value with pointers. `shadow` is what was loaded from the shadow of the memory."""
    is_asked = access.foreign.records_pointers and bool(word_leaves(i.type))
    same = access.is_unshadowed(i.operands[0]) if is_asked else None
    if same is None:
        return shadow
    sweep = access.sweep
    return _recorded_shadow(access, same, (sweep.of(i.operands[0]), sweep.of(i), shadow))


def reloaded_shadow(access: WhoseShadow, load: Instruction, shadow: Value, again: Callable[[], Value]) -> Value:
    """Returns the same in the reverse sweep. `again` emits the load from the primal's memory."""
    same = access.is_unshadowed(load.operands[0])
    if same is None:
        return shadow
    loaded = again()
    return _recorded_shadow(access, same, (access.sweep.of(load.operands[0]), loaded, shadow))


def _recorded_shadow(access: WhoseShadow, same: Value, loaded: tuple[Value, Value, Value]) -> Value:
    """Emits the look-up in the table. `loaded`: the place, what was loaded from there, and from its shadow."""
    pointer, value, shadow = loaded
    b, direction = access.sweep.b, int_constant(access.sweep.direction)
    for word in _words(value.type):
        place = b.offset(pointer, word.offset, ())
        found = runtime.FOREIGN_LOAD.call(b, access.flag(same), place, word.of(b, value), word.of(b, shadow), direction)
        shadow = word.put(b, shadow, found)
    return shadow


def copy_records(access: WhoseShadow, i: Instruction, now: Value) -> None:
    """Emits the copy of recorded shadows that belongs to a copy of memory, after the copy in shadow memory.

    `now`: where the primal's bytes lie now, the source or the target.
    """
    sweep, (target, source) = access.sweep, access.activity.callees.copy_operands(i)
    if access.activity.shadowed(source):
        _record_copied(access, i, now)
    if access.foreign.records_pointers:
        size = emitted_size(sweep, size_operand(access.activity, i))
        move_records(access, source, (sweep.shadow_of(target), sweep.of(target)), size, sweep.of(now))


def _record_copied(access: WhoseShadow, i: Instruction, now: Value) -> None:
    """Emits the record of pointers that are copied to memory without a shadow from memory that has one."""
    target, source = access.activity.callees.copy_operands(i)
    same = access.is_unshadowed(target)
    layout = None if same is None else copied_layout(access, i)
    if same is None or layout is None:
        return
    sweep, b = access.sweep, access.sweep.b
    size = emitted_size(sweep, size_operand(access.activity, i))
    of_source = access.is_unshadowed(source)
    if of_source is not None:
        same = b.int_op("and", same, b.int_op("xor", of_source, int_constant(1, I1)))
    there = b.select(same, size, int_constant(0))
    for segment in pointer_segments(layout):
        if access.foreign.records_pointers:
            places = sweep.of(target), sweep.of(now), sweep.shadow_of(source)
            runtime.FOREIGN_ENTER.call(b, *places, there, *stride(layout, segment, size), int_constant(sweep.direction))
        else:
            refuse_pointer(access.round, b, i, same, there, int_constant(0))


def copied_layout(access: WhoseShadow, i: Instruction) -> Layout | None:
    """Returns what a copy moves; None if that is unknown, or if it changes at run time."""
    size = size_operand(access.activity, i)
    pointers = list(access.activity.callees.copy_operands(i))
    if mixing_at(access.sweep.analyses, i) is not None:
        return None
    types, count = access.round.types, constant_size(size)
    return find_layout(types, pointers, count) or types.declared.layout(i, count)


def move_records(access: WhoseShadow, source: Value, to: tuple[Value, Value], size: Value, now: Value) -> None:
    """Emits the copy of recorded shadows with `size` bytes. `to`: the target's shadow, and the target."""
    if not access.foreign.records_pointers or not access.activity.shadowed(source):
        return
    sweep, same = access.sweep, access.is_unshadowed(source)
    if same is not None:
        arguments = *to, sweep.of(source), now, size, int_constant(sweep.direction)
        runtime.FOREIGN_COPY.call(sweep.b, access.flag(same), *arguments)


def moved_records(access: WhoseShadow, i: Instruction, old: Value) -> Value | None:
    """Emits, before a reallocation, the number of bytes whose recorded shadows move with them; None for none."""
    known = access.activity.callees.of(i).known
    if known is None or not access.foreign.records_pointers or not access.activity.shadowed(old):
        return None
    size = emitted_product(access.sweep, [i.arguments[k] for k in known.size_operands])
    return runtime.KEPT_BY_REALLOC.call(access.sweep.b, access.sweep.of(old), size)
