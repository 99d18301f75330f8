"""Numbers that a derivative stores in memory without a shadow: other code made it before the derivative was called.

An example is the work space of a solver that main made. Such memory is unshadowed, so the runtime (no_shadow_numbers.c)
records the shadows of these numbers in blocks. A number without a block is constant. In forward mode, a store of a
number makes its block. In reverse mode, the primal sweep does, and the reverse sweep uses what is there.

In a derivative that is differentiated again, such a store ends the program (globals/foreign_refusals.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.activity.activity import Activity
from ....analysis.type_analysis.analysis import Layout
from ....ir.folding import int_constant
from ....ir.instructions import STORES
from ....ir.types import is_float, store_size
from ....ir.values import Instruction, Value
from ....rules import runtime_functions as runtime
from ....rules.knowledge import CalleeKind
from ...core.layouts import float_segments, stride
from ...core.mixed_words import table_of_words
from ..shadow_memory import emitted_size, size_operand
from .whose_shadow import WhoseShadow


def clear_recorded(access: WhoseShadow, pointer: Value, size: Value) -> None:
    """Emits the notice that constants are written there, or that the adjoints of what was written are cleared."""
    sweep, flag = access.sweep, access.number_flag(pointer)
    if flag is not None:
        runtime.FOREIGN_CLEAR.call(sweep.b, flag, sweep.of(pointer), size, int_constant(sweep.direction))


def free_recorded(access: WhoseShadow, pointer: Value) -> None:
    """Emits the notice that such memory is freed: other memory that takes its place has no tangents."""
    sweep, flag = access.sweep, access.number_flag(pointer)
    if flag is not None:
        runtime.FOREIGN_FREE.call(sweep.b, flag, sweep.of(pointer), int_constant(sweep.direction))


# -- the primal sweep of reverse mode


def record_numbers(access: WhoseShadow, i: Instruction) -> None:
    """Emits the notice of numbers that an instruction stores."""
    if access.foreign.records_numbers:
        for pointer, size in _stored_numbers(access.activity, i):
            _record(access, pointer, int_constant(size))


def _stored_numbers(activity: Activity, i: Instruction) -> Iterator[tuple[Value, int]]:
    """Yields the places and sizes of the numbers with a derivative that an instruction stores."""
    if i.opcode in STORES:
        value, pointer = i.operands if i.opcode == "store" else i.operands[::-1]
        if value in activity.varied and activity.shadowed(pointer):
            yield pointer, store_size(value.type)
    elif i.opcode == "call" and activity.callees.of(i).kind is CalleeKind.RULE:
        rule = activity.callees.of(i).rule
        assert rule is not None
        for k in rule.outputs:
            if activity.shadowed(i.arguments[k]):
                yield i.arguments[k], store_size(next(o.type for o in i.arguments if is_float(o.type)))


def record_copied(access: WhoseShadow, i: Instruction, layout: Layout) -> None:
    """Emits the notice of the numbers that a copy with a layout moves."""
    target, source = access.activity.callees.copy_operands(i)
    if not access.foreign.records_numbers or not access.activity.shadowed(source):
        return
    if any(True for _ in float_segments(layout)):
        _record(access, target, emitted_size(access.sweep, size_operand(access.activity, i)))


def record_copied_words(access: WhoseShadow, i: Instruction) -> None:
    """Emits the notice of what a copy moves that the run tells word by word (mixed_memory.py)."""
    sweep, (target, source) = access.sweep, access.activity.callees.copy_operands(i)
    if not access.state(target).is_recorded or not access.activity.shadowed(source):
        return
    same = access.is_unshadowed(target)
    assert same is not None
    size = size_operand(access.activity, i)
    memory = sweep.of(target), access.other_shadow(source), sweep.of(source), emitted_size(sweep, size)
    table = *table_of_words(access.round, [target, source], size), int_constant(sweep.direction)
    runtime.FOREIGN_EXPECT_WORDS.call(sweep.b, access.flag(same), *memory, *table)


def _record(access: WhoseShadow, pointer: Value, size: Value) -> None:
    sweep, flag = access.sweep, access.number_flag(pointer)
    if flag is not None:
        runtime.FOREIGN_EXPECT.call(sweep.b, flag, sweep.of(pointer), size, int_constant(sweep.direction))


# -- copies in forward mode


def copy_numbers(access: WhoseShadow, i: Instruction, layout: Layout) -> None:
    """Copies the tangents that a copy with a layout moves, where one side has no shadow."""
    sweep, (target, source) = access.sweep, access.activity.callees.copy_operands(i)
    if access.is_unshadowed(target) is None and access.is_unshadowed(source) is None:
        return
    size = emitted_size(sweep, size_operand(access.activity, i))
    for _, segment in float_segments(layout):
        memory = access.other_shadow(target), sweep.of(target), access.other_shadow(source), sweep.of(source)
        place = *stride(layout, segment, size), int_constant(sweep.direction)
        runtime.FOREIGN_COPY_NUMBERS.call(sweep.b, *memory, size, *place)


def copy_words(access: WhoseShadow, i: Instruction) -> None:
    """Copies the tangents, where one side has no shadow, that the run tells word by word."""
    sweep, (target, source) = access.sweep, access.activity.callees.copy_operands(i)
    if access.is_unshadowed(target) is None and access.is_unshadowed(source) is None:
        return
    size = size_operand(access.activity, i)
    memory = access.other_shadow(target), sweep.of(target), access.other_shadow(source), sweep.of(source)
    table = *table_of_words(access.round, [target, source], size), int_constant(sweep.direction)
    runtime.FOREIGN_COPY_WORDS.call(sweep.b, *memory, emitted_size(sweep, size), *table)


def move_numbers(access: WhoseShadow, same: Value, to: Value, old: Value, size: Value) -> None:
    """Moves the tangents of reallocated memory. `same`: whether it is its own shadow."""
    sweep, direction = access.sweep, int_constant(access.sweep.direction)
    runtime.FOREIGN_MOVE.call(sweep.b, access.flag(same), to, sweep.of(old), size, direction)
