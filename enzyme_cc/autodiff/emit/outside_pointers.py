"""Pointers that a derivative stores in memory without a shadow: a global pointed to it when the derivative was called.

An example is the handle of a library, made before, in which the differentiated function stores the address of its data.
Such memory is its own shadow, so the runtime (outside.c) keeps the shadows of these pointers in a table.
Where a pointer is loaded from such memory, or copied out of it, the table has its shadow. Numbers have no such table:
storing one that carries a derivative there is refused (globals/external_refusals.py).
"""

from __future__ import annotations

from ...ir.builder import Builder
from ...ir.folding import int_constant
from ...ir.types import I64, PointerType
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ..globals.external_refusals import refuse_pointer
from .cloning import Cloning
from .shadow_memory import emitted_product, emitted_size, size_operand


def note_store(sweep: Cloning, i: Instruction) -> None:
    """Emits the notice of a stored pointer. A derivative that is differentiated again ends the program instead."""
    value, pointer = i.operands
    if not isinstance(value.type, PointerType) or not sweep.activity.shadowed(value):
        return
    same = sweep.is_constant_memory(pointer)
    if same is None:
        return
    stored, shadow = sweep.of(value), sweep.shadow_of(value)
    if sweep.round.notes_pointers:
        arguments = sweep.b.cast("zext", same, I64), sweep.of(pointer), stored, shadow, int_constant(sweep.direction)
        runtime.OUTSIDE_STORE.call(sweep.b, *arguments)
    else:
        refuse_pointer(sweep.round, sweep.b, i, same, stored, shadow)


def loaded_shadow(sweep: Cloning, i: Instruction, shadow: Value) -> Value:
    """Returns the shadow of a loaded pointer. `shadow` is what was loaded from the shadow of the memory."""
    if not sweep.round.notes_pointers or not isinstance(i.type, PointerType):
        return shadow
    pointer = i.operands[0]
    same = sweep.is_constant_memory(pointer)
    if same is None:
        return shadow
    return shadow_noted(sweep.b, same, (sweep.of(pointer), sweep.of(i), shadow), sweep.direction)


def shadow_noted(b: Builder, same: Value, loaded: tuple[Value, Value, Value], direction: int) -> Value:
    """Emits the look-up in the table. `loaded`: the place, what was loaded from there, and from its shadow."""
    return runtime.OUTSIDE_LOAD.call(b, b.cast("zext", same, I64), *loaded, int_constant(direction))


def copy_notes(sweep: Cloning, i: Instruction, now: Value) -> None:
    """Emits the copy of noted shadows that belongs to a copy of memory, after the copy in shadow memory.

    `now`: where the primal's bytes lie now, the source or the target.
    """
    if sweep.round.notes_pointers:
        target, source = sweep.activity.callees.copy_operands(i)
        size = emitted_size(sweep, size_operand(sweep.activity, i))
        move_notes(sweep, source, (sweep.shadow_of(target), sweep.of(target)), size, sweep.of(now))


def move_notes(sweep: Cloning, source: Value, to: tuple[Value, Value], size: Value, now: Value) -> None:
    """Emits the copy of noted shadows with `size` bytes. `to`: the target's shadow, and the target."""
    if not sweep.round.notes_pointers or not sweep.activity.shadowed(source):
        return
    same = sweep.is_constant_memory(source)
    if same is not None:
        arguments = *to, sweep.of(source), now, size, int_constant(sweep.direction)
        runtime.OUTSIDE_COPY.call(sweep.b, sweep.b.cast("zext", same, I64), *arguments)


def notes_moved(sweep: Cloning, i: Instruction, old: Value) -> Value | None:
    """Emits, before a reallocation, the number of bytes whose noted shadows move with them; None if there are none."""
    known = sweep.activity.callees.of(i).known
    if known is None or not sweep.round.notes_pointers or not sweep.activity.shadowed(old):
        return None
    size = emitted_product(sweep, [i.arguments[k] for k in known.size_operands])
    return runtime.KEPT_BY_REALLOC.call(sweep.b, sweep.of(old), size)
