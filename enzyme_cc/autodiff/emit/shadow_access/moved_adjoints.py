"""The two sides of a copy or reallocation whose adjoints the reverse sweep moves back.

Where the runtime records numbers of unshadowed memory, it lends a copy of what it has recorded. Elsewhere, such memory
has no adjoints. Forward mode shares the refusals of what cannot be followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ....ir.folding import int_constant, zero
from ....ir.types import PTR
from ....ir.values import Instruction, Value
from ....rules import runtime_functions as runtime
from ...globals.foreign_refusals import refuse_copy, refuse_open_source
from ..shadow_memory import emitted_size, size_operand
from .foreign_numbers import clear_recorded
from .whose_shadow import WhoseShadow


@contextmanager
def sides_of_copy(access: WhoseShadow, i: Instruction, *, lends: bool = True) -> Iterator[tuple[Value, Value, Value]]:
    """Emits what precedes and follows the adjoint of a copy, which takes numbers from one shadow to another.

    Yields the shadows of the target and of the source, and the number of bytes that have one. `lends`: type analysis,
    or the words, tell what recorded memory holds.
    """
    target, source = access.activity.callees.copy_operands(i)
    size = emitted_size(access.sweep, size_operand(access.activity, i))
    if lends and access.foreign.records_numbers:
        with _lent(access, target, size, is_taken=True) as (taken, there), _lent(access, source, size) as (origin, _):
            yield taken, origin, there
        return
    if access.activity.shadowed(source):
        same, of_source = access.is_unshadowed(target), access.is_unshadowed(source)
        refuse_copied_numbers(access, i, same, of_source, size)
        refuse_recorded_source(access, i, of_source)
    clear_recorded(access, target, size)
    yield access.sweep.shadow_of(target), _source_shadow(access, source), access.size_there(target, size)


@contextmanager
def source_of_move(
    access: WhoseShadow, i: Instruction, size: Value, *, lends: bool = True
) -> Iterator[tuple[Value, Value]]:
    """Emits the same for a reallocation. Yields the shadows of the new and the old memory."""
    old = access.activity.callees.moved_from(i)
    if lends and access.foreign.records_numbers:
        with _lent(access, old, size) as (origin, _):
            yield access.sweep.shadow_of(i), origin
        return
    same = access.is_unshadowed(old) if access.foreign.records_numbers else None
    if same is not None:
        _refuse_source(access, i, old, same, size)
    yield access.sweep.shadow_of(i), _source_shadow(access, old)


def _source_shadow(access: WhoseShadow, pointer: Value) -> Value:
    """Returns the shadow that adjoints are added to; null if the memory is constant."""
    return access.other_shadow(pointer) if access.activity.shadowed(pointer) else zero(PTR)


@contextmanager
def _lent(access: WhoseShadow, pointer: Value, size: Value, *, is_taken: bool = False) -> Iterator[tuple[Value, Value]]:
    """Emits what precedes and follows a move of numbers in the shadow of memory, which may be unshadowed.

    Yields the shadow, and the number of bytes that have one: the runtime lends a copy of what it has recorded. It is
    null if there is nothing. `is_taken`: the move leaves zeros.
    """
    sweep, b = access.sweep, access.sweep.b
    if not is_taken and not access.activity.shadowed(pointer):
        yield zero(PTR), size
        return
    same, shadow = access.is_unshadowed(pointer), sweep.shadow_of(pointer)
    if same is None:
        yield shadow, size
        return
    flag, place = access.flag(same), sweep.of(pointer)
    taken, direction = int_constant(int(is_taken)), int_constant(sweep.direction)
    found = runtime.FOREIGN_LEND.call(b, flag, place, shadow, size, taken, direction)
    is_nothing = b.icmp("eq", found, zero(PTR))
    yield found, b.select(is_nothing, int_constant(0), size)
    runtime.FOREIGN_RESTORE.call(b, flag, zero(PTR) if is_taken else place, found, size, direction)


def refuse_copied_numbers(
    access: WhoseShadow, i: Instruction, same: Value | None, of_source: Value | None, size: Value
) -> None:
    """Ends the program if a copy moves numbers with derivatives to unshadowed memory where none are recorded.

    `same`, `of_source`: the tests that the target and the source are unshadowed.
    """
    refuse_copy(access.round, access.sweep.b, i, same, of_source, size)


def refuse_recorded_source(access: WhoseShadow, i: Instruction, same: Value | None) -> None:
    """Ends the program if recorded numbers are copied out of memory of which nothing tells what it holds."""
    if access.foreign.records_numbers:
        _, source = access.activity.callees.copy_operands(i)
        _refuse_source(access, i, source, same, emitted_size(access.sweep, size_operand(access.activity, i)))


def _refuse_source(access: WhoseShadow, i: Instruction, source: Value, same: Value | None, size: Value) -> None:
    memory = access.sweep.of(source), size
    refuse_open_source(access.round, access.sweep.b, i, same, memory, access.sweep.direction)
