"""Adjoints of copies, fills and allocations: what each does to many bytes of shadow memory.

The adjoint of a copy adds the numbers in the shadow of the target to those of the source, and leaves zero. Type
analysis says where numbers lie (core/layouts.py). mixed_adjoints.py handles memory where that changes at run time.
"""

from __future__ import annotations

from ...analysis.storage.needs import Need, NeedKind
from ...analysis.type_analysis.analysis import Layout
from ...ir.constants import ConstantInt
from ...ir.folding import int_constant, zero
from ...ir.types import I64, PTR, alloc_size
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.layouts import float_segments, layout_of, stride
from ..core.mixed_words import Clearing, clear_told
from ..emit.mixed_memory import Mixing, is_mixed_fill, is_mixed_target, mixing_of
from ..emit.shadow_access.foreign_numbers import (
    lent,
    lent_to_copy,
    refuse_copied_numbers,
    refuse_recorded_move,
    refuse_recorded_source,
)
from ..emit.shadow_memory import clear, size_operand
from .mixed_adjoints import adjoint_of_mixed_copy, adjoint_of_told_copy, name_of
from .primal_memory import fill_needs_no_type, needs_no_type
from .reverse_values import ReverseValues

#: types that one call may mix, by the number that the runtime has for each
_TOGETHER = ("f64", "f32", "f80")
#: the alignment of numbers in memory that is not packed: a copy that begins or ends elsewhere cuts a number
_ALIGNMENTS = {"f64": 8, "f32": 4, "f80": 16, "f16": 2, "bf16": 2}


def adjoint_of_copy(sweep: ReverseValues, i: Instruction) -> None:
    target, source = sweep.activity.callees.copy_operands(i)
    length = size_operand(sweep.activity, i)
    if needs_no_type(sweep.analyses, target, source):
        clear(sweep.b, sweep.shadow(target), _bytes(sweep, length))
        return
    mixing = mixing_of(sweep.analyses, [target, source], length)
    if mixing is Mixing.BY_WORDS and sweep.round.keeps_numbers:
        size = _bytes(sweep, length)
        with lent_to_copy(sweep.memory, target, source, size) as memory:
            adjoint_of_told_copy(sweep, i, [target, source], length, memory)
        return
    if mixing is not None:
        origin = _origin(sweep, source)
        _refuse_copy(sweep, i)
        sweep.memory.clear_recorded(target, _bytes(sweep, length))
        size = sweep.memory.size_there(target, _bytes(sweep, length))
        adjoint = adjoint_of_told_copy if mixing is Mixing.BY_WORDS else adjoint_of_mixed_copy
        adjoint(sweep, i, [target, source], length, (sweep.shadow(target), origin, size))
        return
    layout = layout_of(sweep.round, sweep.analyses.function, i, [target, source], length)
    if any(True for _ in float_segments(layout)):
        _adjoint_with_layout(sweep, i, layout)
    if is_mixed_target(sweep.activity.carriers, target, length):
        sweep.memory.clear_recorded(target, _bytes(sweep, length))
        clear(sweep.b, sweep.shadow(target), sweep.memory.size_there(target, _bytes(sweep, length)))


def _adjoint_with_layout(sweep: ReverseValues, i: Instruction, layout: Layout) -> None:
    target, source = sweep.activity.callees.copy_operands(i)
    size = _bytes(sweep, size_operand(sweep.activity, i))
    if not sweep.round.keeps_numbers:
        _refuse_copy(sweep, i)
        _copy_adjoint(
            sweep, i, layout, (sweep.shadow(target), _origin(sweep, source), sweep.memory.size_there(target, size))
        )
        return
    with lent_to_copy(sweep.memory, target, source, size) as memory:
        _copy_adjoint(sweep, i, layout, memory)


def _refuse_copy(sweep: ReverseValues, i: Instruction) -> None:
    target, source = sweep.activity.callees.copy_operands(i)
    if sweep.activity.shadowed(source):
        size = _bytes(sweep, size_operand(sweep.activity, i))
        same, of_source = sweep.memory.is_unshadowed(target), sweep.memory.is_unshadowed(source)
        refuse_copied_numbers(sweep.memory, i, same, of_source, size)
        refuse_recorded_source(sweep.memory, i, of_source)


def _bytes(sweep: ReverseValues, length: Value) -> Value:
    return sweep.b.resize_int(sweep.primal(length), I64)


def _origin(sweep: ReverseValues, pointer: Value) -> Value:
    """The shadow of the source; null if the source is constant memory."""
    return sweep.memory.other_shadow(pointer) if sweep.activity.shadowed(pointer) else zero(PTR)


def _copy_adjoint(sweep: ReverseValues, i: Instruction, layout: Layout, memory: tuple[Value, Value, Value]) -> None:
    """Adds the numbers in the shadow of the target to those of the origin, and leaves zero.

    `memory`: both shadows, and the number of bytes there.
    """
    target, origin, size = memory
    segments = list(float_segments(layout))
    for suffix, segment in segments:
        number = int_constant(_ALIGNMENTS.get(suffix, 1))
        runtime.CHECK_CUT.call(sweep.b, target, size, *stride(layout, segment, size), number, name_of(sweep, i))
    together = [(suffix, s) for suffix, s in segments if suffix in _TOGETHER]
    for suffix, segment in segments if len(together) < 2 else [s for s in segments if s not in together]:
        runtime.COPY_ADJOINTS[suffix].call(sweep.b, target, origin, size, *stride(layout, segment, size))
    if len(together) < 2:
        return
    period = size if layout.period is None else int_constant(layout.period)
    numbers = [n for suffix, s in together for n in (s.offset, s.length, _TOGETHER.index(suffix))]
    table = sweep.round.table(numbers)
    runtime.COPY_ADJOINT.call(sweep.b, target, origin, size, period, table, int_constant(len(together)))


def adjoint_of_fill(sweep: ReverseValues, i: Instruction) -> None:
    target, length = i.arguments[0], size_operand(sweep.activity, i)
    is_plain = fill_needs_no_type(sweep.analyses, i)  # the layout of a pool takes long
    mixing = None if is_plain else mixing_of(sweep.analyses, [target], length)
    if is_plain or mixing is Mixing.BY_SHADOW:
        clear(sweep.b, sweep.shadow(target), _bytes(sweep, length))
        return
    sweep.memory.clear_recorded(target, _bytes(sweep, length))
    if mixing is Mixing.BY_WORDS or is_mixed_fill(sweep.analyses, target, length):
        memory = Clearing(target, length, sweep.memory.size_there(target, _bytes(sweep, length)), False)
        clear_told(sweep.round, sweep.b, sweep.shadow(target), memory)
        return
    layout = layout_of(sweep.round, sweep.analyses.function, i, [target], length)
    size: Value | None = None
    for _, segment in float_segments(layout):
        size = size or sweep.memory.size_there(target, _bytes(sweep, length))
        runtime.CLEAR.call(sweep.b, sweep.shadow(target), size, *stride(layout, segment, size))


def adjoint_of_allocation(sweep: ReverseValues, i: Instruction) -> None:
    """Clears the numbers in the shadow of new memory: its contents were no result of anything."""
    size = _size_in_reverse(sweep, i)
    layout = sweep.round.types.layout(i, size.value if isinstance(size, ConstantInt) else None)
    if layout is None:
        return
    for _, segment in float_segments(layout):
        runtime.CLEAR.call(sweep.b, sweep.shadow(i), size, *stride(layout, segment, size))


def _size_in_reverse(sweep: ReverseValues, i: Instruction) -> Value:
    """The size in bytes of an alloca or of an allocating call."""
    b, known = sweep.b, sweep.activity.callees.of(i).known if i.opcode == "call" else None
    if known is None:
        assert i.memory.accessed is not None
        size: Value = int_constant(alloc_size(i.memory.accessed))
        counts = i.operands
    else:
        size, counts = int_constant(1), [i.arguments[k] for k in known.size_operands]
    for count in counts:
        size = b.mul(size, b.resize_int(sweep.primal(count), I64))
    return size


def adjoint_of_reallocation(sweep: ReverseValues, i: Instruction) -> None:
    old = sweep.activity.callees.moved_from(i)
    if not sweep.activity.shadowed(old):
        return
    moved = sweep.need(Need(NeedKind.SIZE, i))
    mixing = mixing_of(sweep.analyses, [i, old], None)
    if mixing is not None:
        refuse_recorded_move(sweep.memory, i, old, moved)
        adjoint = adjoint_of_told_copy if mixing is Mixing.BY_WORDS else adjoint_of_mixed_copy
        adjoint(sweep, i, [i, old], None, (sweep.shadow(i), _origin(sweep, old), moved))
        return
    layout = layout_of(sweep.round, sweep.analyses.function, i, [i, old], None)
    if not any(True for _ in float_segments(layout)):
        return
    if not sweep.round.keeps_numbers:
        _copy_adjoint(sweep, i, layout, (sweep.shadow(i), _origin(sweep, old), moved))
        return
    with lent(sweep.memory, old, moved) as (origin, _):
        _copy_adjoint(sweep, i, layout, (sweep.shadow(i), origin, moved))
