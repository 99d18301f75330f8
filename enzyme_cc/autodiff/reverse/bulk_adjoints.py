"""Adjoints of copies, fills and allocations: what each does to many bytes of shadow memory.

The adjoint of a copy adds the numbers in the shadow of the target to those of the source, and leaves zero. Type
analysis says where numbers lie (core/layouts.py). mixed_adjoints.py handles memory where that changes at run time.
"""

from __future__ import annotations

from ...analysis.storage.needs import Need, NeedKind
from ...analysis.type_analysis.analysis import Kind, Layout
from ...ir.constants import ConstantInt
from ...ir.folding import int_constant
from ...ir.types import I64, alloc_size
from ...ir.values import Instruction, Value
from ...report.diagnostics import NotOnTeams
from ...rules import runtime_functions as runtime
from ...rules.knowledge import CalleeKind
from ..core.layouts import float_segments, layout_of, stride
from ..core.mixed_words import Clearing, clear_tagged
from ..emit.shadow_access.bulk_writes import BulkWrite, pointers_of
from ..emit.shadow_access.moved_adjoints import sides_of_copy, source_of_move
from ..emit.shadow_memory import clear, emitted_size, size_operand
from .mixed_adjoints import AdjointOfMixed, adjoint_of_mixed_copy, adjoint_of_tagged_copy, name_of
from .reverse_values import ReverseValues

#: types of numbers that one call of the runtime handles together; the index of a type is the runtime's number for it
_TOGETHER = ("f64", "f32", "f80")
#: the alignment of numbers in memory that is not packed: a copy that begins or ends elsewhere cuts a number
_ALIGNMENTS = {"f64": 8, "f32": 4, "f80": 16, "f16": 2, "bf16": 2}


def adjoint_of_copy(sweep: ReverseValues, i: Instruction) -> None:
    _COPIES[sweep.memory.bulk(i)](sweep, i)


def _clear_all(sweep: ReverseValues, i: Instruction) -> None:
    target = pointers_of(sweep.analyses, i)[0]
    clear(sweep.b, sweep.shadow_of(target), emitted_size(sweep, size_operand(sweep.activity, i)))


def _copy_by_words(sweep: ReverseValues, i: Instruction) -> None:
    with sides_of_copy(sweep.memory, i) as memory:
        adjoint_of_tagged_copy(sweep, i, pointers_of(sweep.analyses, i), size_operand(sweep.activity, i), memory)


def _copy_by_shadow(sweep: ReverseValues, i: Instruction) -> None:
    with sides_of_copy(sweep.memory, i, lends=False) as memory:
        adjoint_of_mixed_copy(sweep, i, pointers_of(sweep.analyses, i), size_operand(sweep.activity, i), memory)


def _copy_typed(sweep: ReverseValues, i: Instruction) -> None:
    pointers, length = pointers_of(sweep.analyses, i), size_operand(sweep.activity, i)
    layout = layout_of(sweep.round, sweep.analyses.function, i, pointers, length)
    if any(True for _ in float_segments(layout)):
        with sides_of_copy(sweep.memory, i) as memory:
            _copy_adjoint(sweep, i, layout, memory)


def _copy_over_others(sweep: ReverseValues, i: Instruction) -> None:
    _copy_typed(sweep, i)
    target, size = pointers_of(sweep.analyses, i)[0], emitted_size(sweep, size_operand(sweep.activity, i))
    sweep.memory.clear_recorded(target, size)
    clear(sweep.b, sweep.shadow_of(target), sweep.memory.size_there(target, size))


_COPIES = {
    BulkWrite.UNTYPED: _clear_all,
    BulkWrite.BY_SHADOW: _copy_by_shadow,
    BulkWrite.BY_WORDS: _copy_by_words,
    BulkWrite.OVER_OTHERS: _copy_over_others,
    BulkWrite.TYPED: _copy_typed,
}


def _copy_adjoint(sweep: ReverseValues, i: Instruction, layout: Layout, memory: tuple[Value, Value, Value]) -> None:
    """Adds the numbers in the shadow of the target to those of the origin, and leaves zero.

    `memory`: both shadows, and the number of bytes there.
    """
    target, origin, size = memory
    segments = list(float_segments(layout))
    if _is_added_by_team(sweep, i):
        _copy_adjoint_on_team(sweep, i, layout, memory)
        return
    _check_cuts(sweep, i, layout, (target, size))
    together = [(suffix, s) for suffix, s in segments if suffix in _TOGETHER]
    for suffix, segment in segments if len(together) < 2 else [s for s in segments if s not in together]:
        runtime.COPY_ADJOINTS[suffix].call(sweep.b, target, origin, size, *stride(layout, segment, size))
    if len(together) < 2:
        return
    period = size if layout.period is None else int_constant(layout.period)
    numbers = [n for suffix, s in together for n in (s.offset, s.length, _TOGETHER.index(suffix))]
    table = sweep.round.table(numbers)
    runtime.COPY_ADJOINT.call(sweep.b, target, origin, size, period, table, int_constant(len(together)))


def _check_cuts(sweep: ReverseValues, i: Instruction, layout: Layout, memory: tuple[Value, Value]) -> None:
    """Emits the end of the program if a number with an adjoint begins before the bytes, or ends behind them."""
    target, size = memory
    for suffix, segment in float_segments(layout):
        number = _ALIGNMENTS.get(suffix, 1)
        place = *stride(layout, segment, size), int_constant(number)
        runtime.CHECK_CUT.call(sweep.b, target, size, *place, name_of(sweep, i))
        before = segment.offset % number
        if before and not any(s.offset < before and s.kind is not Kind.ANYTHING for s in layout.segments):
            _check_before(sweep, i, memory, (before, number))


def _check_before(sweep: ReverseValues, i: Instruction, memory: tuple[Value, Value], cut: tuple[int, int]) -> None:
    """Emits the same for the first bytes, the end of a number. `cut`: how many these are, and the number's size."""
    target, size = memory
    end, number = map(int_constant, cut)
    there = sweep.b.select(sweep.b.icmp("ult", size, end), size, end)
    runtime.CHECK_CUT.call(sweep.b, target, there, end, int_constant(0), end, number, name_of(sweep, i))


def _is_added_by_team(sweep: ReverseValues, i: Instruction) -> bool:
    """True if other threads add to the shadow of the source at the same time."""
    callees = sweep.activity.callees
    is_move = callees.of(i).kind is CalleeKind.REALLOCATE
    source = callees.moved_from(i) if is_move else callees.copy_operands(i)[1]
    return sweep.memory.state(source).is_added_by_team


def _copy_adjoint_on_team(
    sweep: ReverseValues, i: Instruction, layout: Layout, memory: tuple[Value, Value, Value]
) -> None:
    """Emits the same for shadows to which threads of a team add. Raises `NotOnTeams`."""
    target, origin, size = memory
    if any(suffix not in runtime.TEAM_COPY_ADJOINTS for suffix, _ in float_segments(layout)):
        raise NotOnTeams("threads copy numbers of other types")
    _check_cuts(sweep, i, layout, (target, size))
    for suffix, segment in float_segments(layout):
        runtime.TEAM_COPY_ADJOINTS[suffix].call(sweep.b, target, origin, size, *stride(layout, segment, size))


def adjoint_of_fill(sweep: ReverseValues, i: Instruction) -> None:
    _FILLS[sweep.memory.bulk(i)](sweep, i)


def _fill_tagged(sweep: ReverseValues, i: Instruction) -> None:
    target, length = i.arguments[0], size_operand(sweep.activity, i)
    size = emitted_size(sweep, length)
    sweep.memory.clear_recorded(target, size)
    memory = Clearing(target, length, sweep.memory.size_there(target, size), False)
    clear_tagged(sweep.round, sweep.b, sweep.shadow_of(target), memory)


def _fill_typed(sweep: ReverseValues, i: Instruction) -> None:
    target, length = i.arguments[0], size_operand(sweep.activity, i)
    all_bytes = emitted_size(sweep, length)
    sweep.memory.clear_recorded(target, all_bytes)
    layout = layout_of(sweep.round, sweep.analyses.function, i, [target], length)
    size: Value | None = None
    for _, segment in float_segments(layout):
        size = size or sweep.memory.size_there(target, all_bytes)
        runtime.CLEAR.call(sweep.b, sweep.shadow_of(target), size, *stride(layout, segment, size))


_FILLS = {
    BulkWrite.UNTYPED: _clear_all,
    BulkWrite.BY_SHADOW: _clear_all,
    BulkWrite.BY_WORDS: _fill_tagged,
    BulkWrite.OVER_OTHERS: _fill_tagged,
    BulkWrite.TYPED: _fill_typed,
}


def adjoint_of_allocation(sweep: ReverseValues, i: Instruction) -> None:
    """Clears the numbers in the shadow of new memory: its contents were no result of anything."""
    size = _size_in_reverse(sweep, i)
    layout = sweep.round.types.contents(i, size.value if isinstance(size, ConstantInt) else None).layout
    if layout is None:
        return
    for _, segment in float_segments(layout):
        runtime.CLEAR.call(sweep.b, sweep.shadow_of(i), size, *stride(layout, segment, size))


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
        size = b.mul(size, b.resize_int(sweep.of(count), I64))
    return size


def adjoint_of_reallocation(sweep: ReverseValues, i: Instruction) -> None:
    if not sweep.activity.shadowed(sweep.activity.callees.moved_from(i)):
        return
    size = sweep.need(Need(NeedKind.SIZE, i))
    match sweep.memory.bulk(i):
        case BulkWrite.BY_SHADOW:
            _move_mixed(sweep, i, size, adjoint_of_mixed_copy)
        case BulkWrite.BY_WORDS:
            _move_mixed(sweep, i, size, adjoint_of_tagged_copy)
        case _:
            _move_typed(sweep, i, size)


def _move_mixed(sweep: ReverseValues, i: Instruction, size: Value, adjoint: AdjointOfMixed) -> None:
    pointers: list[Value] = [i, sweep.activity.callees.moved_from(i)]
    with source_of_move(sweep.memory, i, size, lends=False) as (new, origin):
        adjoint(sweep, i, pointers, None, (new, origin, size))


def _move_typed(sweep: ReverseValues, i: Instruction, size: Value) -> None:
    pointers: list[Value] = [i, sweep.activity.callees.moved_from(i)]
    layout = layout_of(sweep.round, sweep.analyses.function, i, pointers, None)
    if any(True for _ in float_segments(layout)):
        with source_of_move(sweep.memory, i, size) as (new, origin):
            _copy_adjoint(sweep, i, layout, (new, origin, size))
