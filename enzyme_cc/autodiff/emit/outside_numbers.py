"""Numbers that a derivative stores in memory without a shadow: other code made it before the derivative was called.

An example is the work space of a solver that main made. Such memory is its own shadow, so the runtime
(outside_numbers.c) keeps the shadows of these numbers in blocks. A number without a block is constant. In forward mode,
a store of a number makes its block. In reverse mode, the primal sweep does, and the reverse sweep uses what is there.

In a derivative that is differentiated again, such a store ends the program (globals/external_refusals.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.activity.activity import Activity
from ...analysis.callees import CalleeKind
from ...analysis.type_analysis.analysis import Layout
from ...ir.folding import int_constant
from ...ir.types import I64, is_float, store_size
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.layouts import float_segments, stride
from ..core.mixed_words import table_of_words
from .cloning import Cloning
from .shadow_memory import emitted_size, size_operand


def clear_numbers(sweep: Cloning, pointer: Value, size: Value) -> None:
    """Emits the notice that constants are written to such memory."""
    same = sweep.memory.is_unshadowed(pointer) if sweep.round.keeps_numbers else None
    if same is not None:
        is_constant = sweep.b.cast("zext", same, I64)
        runtime.OUTSIDE_CLEAR.call(sweep.b, is_constant, sweep.of(pointer), size, int_constant(sweep.direction))


def free_numbers(sweep: Cloning, pointer: Value) -> None:
    """Emits the notice that such memory is freed: other memory that takes its place has no tangents."""
    same = sweep.memory.is_unshadowed(pointer) if sweep.round.keeps_numbers else None
    if same is not None:
        is_constant = sweep.b.cast("zext", same, I64)
        runtime.OUTSIDE_FREE.call(sweep.b, is_constant, sweep.of(pointer), int_constant(sweep.direction))


# -- reverse mode


def expect_numbers(sweep: Cloning, i: Instruction) -> None:
    """In the primal sweep, emits the notice of numbers that an instruction stores."""
    if sweep.round.keeps_numbers:
        for pointer, size in _stored_numbers(sweep.activity, i):
            _expect(sweep, pointer, int_constant(size))


def _stored_numbers(activity: Activity, i: Instruction) -> Iterator[tuple[Value, int]]:
    """Yields the places and sizes of the numbers with a derivative that an instruction stores."""
    if i.opcode in ("store", "atomicrmw"):
        value, pointer = i.operands if i.opcode == "store" else i.operands[::-1]
        if value in activity.varied and activity.shadowed(pointer):
            yield pointer, store_size(value.type)
    elif i.opcode == "call" and activity.callees.of(i).kind is CalleeKind.RULE:
        rule = activity.callees.of(i).rule
        assert rule is not None
        for k in rule.outputs:
            if activity.shadowed(i.arguments[k]):
                yield i.arguments[k], store_size(next(o.type for o in i.arguments if is_float(o.type)))


def expect_copies(sweep: Cloning, i: Instruction, layout: Layout) -> None:
    """In the primal sweep, emits the notice of the numbers that a copy with a layout moves."""
    target, source = sweep.activity.callees.copy_operands(i)
    if not sweep.round.keeps_numbers or not sweep.activity.shadowed(source):
        return
    if any(True for _ in float_segments(layout)):
        _expect(sweep, target, emitted_size(sweep, size_operand(sweep.activity, i)))


def expect_words(sweep: Cloning, i: Instruction) -> None:
    """In the primal sweep, emits the notice of what a copy moves that the run tells word by word (mixed_memory.py)."""
    target, source = sweep.activity.callees.copy_operands(i)
    same = sweep.memory.is_unshadowed(target) if sweep.round.keeps_numbers and sweep.activity.shadowed(source) else None
    if same is not None:
        size = size_operand(sweep.activity, i)
        memory = sweep.of(target), sweep.memory.other_shadow(source), sweep.of(source), emitted_size(sweep, size)
        table = *table_of_words(sweep.round, [target, source], size), int_constant(sweep.direction)
        runtime.OUTSIDE_EXPECT_WORDS.call(sweep.b, sweep.b.cast("zext", same, I64), *memory, *table)


def _expect(sweep: Cloning, pointer: Value, size: Value) -> None:
    same = sweep.memory.is_unshadowed(pointer)
    if same is not None:
        is_constant = sweep.b.cast("zext", same, I64)
        runtime.OUTSIDE_EXPECT.call(sweep.b, is_constant, sweep.of(pointer), size, int_constant(sweep.direction))


# -- copies


def copy_numbers(sweep: Cloning, i: Instruction, layout: Layout) -> None:
    """In forward mode, copies the tangents that a copy with a layout moves, where one side has no shadow."""
    target, source = sweep.activity.callees.copy_operands(i)
    if sweep.memory.is_unshadowed(target) is None and sweep.memory.is_unshadowed(source) is None:
        return
    size = emitted_size(sweep, size_operand(sweep.activity, i))
    for _, segment in float_segments(layout):
        memory = (
            sweep.memory.other_shadow(target),
            sweep.of(target),
            sweep.memory.other_shadow(source),
            sweep.of(source),
            size,
        )
        place = *stride(layout, segment, size), int_constant(sweep.direction)
        runtime.OUTSIDE_COPY_NUMBERS.call(sweep.b, *memory, *place)


def copy_words(sweep: Cloning, i: Instruction) -> None:
    """In forward mode, copies the tangents, where one side has no shadow, that the run tells word by word."""
    target, source = sweep.activity.callees.copy_operands(i)
    if sweep.memory.is_unshadowed(target) is None and sweep.memory.is_unshadowed(source) is None:
        return
    size = size_operand(sweep.activity, i)
    memory = sweep.memory.other_shadow(target), sweep.of(target), sweep.memory.other_shadow(source), sweep.of(source)
    table = *table_of_words(sweep.round, [target, source], size), int_constant(sweep.direction)
    runtime.OUTSIDE_COPY_WORDS.call(sweep.b, *memory, emitted_size(sweep, size), *table)


def move_numbers(sweep: Cloning, same: Value, to: Value, old: Value, size: Value) -> None:
    """In forward mode, moves the tangents of reallocated memory. `same`: whether it is its own shadow."""
    is_constant = sweep.b.cast("zext", same, I64)
    runtime.OUTSIDE_MOVE.call(sweep.b, is_constant, to, sweep.of(old), size, int_constant(sweep.direction))
