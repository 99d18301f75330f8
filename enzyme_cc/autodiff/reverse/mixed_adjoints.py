"""Mixed memory (emit/mixed_memory.py) in reverse mode: what the primal sweep stores, and the adjoints of copies."""

from __future__ import annotations

from ...analysis.storage.needs import Need, NeedKind
from ...analysis.type_analysis.analysis import Kind
from ...ir.folding import int_constant, is_zero
from ...ir.types import store_size
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ..emit.mixed_memory import NUMBER_BITS, clear_constants
from .reverse_values import ReverseValues
from .tape_allocation import TapedCloning


def copy_mixed_shadow(
    sweep: TapedCloning, i: Instruction, pointers: list[Value], to: Value, origin: Value, size: Value, constant: Value
) -> None:
    """In the primal sweep, copies `size` bytes of the shadow and puts the pointers among them on the tape.

    `constant` is the number of bytes that are constants, because the origin is constant memory: its own shadow.
    """
    kept = runtime.MIXED_KEEP.call(sweep.b, sweep.frame.arena, origin, size)
    runtime.MIXED_COPY.call(sweep.b, to, origin, size)
    if not is_zero(constant):
        clear_constants(sweep, pointers, to, size, constant)
    sweep.save(Need(NeedKind.BYTES, i, sweep.direction), lambda: kept)


def adjoint_of_mixed_copy(
    sweep: ReverseValues, i: Instruction, kinds: list[frozenset[Kind]], to: Value, origin: Value, size: Value
) -> None:
    """In the reverse sweep, adds the numbers in the shadow at `to` to those at `origin`, and leaves zero.

    `kinds` says what each word may hold, or each word of one period.
    """
    table = sweep.round.table([sum(NUMBER_BITS.get(kind, 0) for kind in word) for word in kinds])
    kept = sweep.need(Need(NeedKind.BYTES, i, sweep.direction))
    runtime.MIXED_ADJOINT.call(sweep.b, to, origin, size, kept, table, int_constant(len(kinds)))


def clear_before_write(sweep: TapedCloning, pointer: Value, size: Value) -> None:
    """In the primal sweep, clears the words to which numbers are written: a shadow of a pointer may still be there."""
    runtime.CLEAR_WORDS.call(sweep.b, sweep.shadow_of(pointer), size)


def clear_after_store(sweep: ReverseValues, store: Instruction) -> None:
    """In the reverse sweep, clears the shadow of a stored pointer: the adjoint of an earlier number begins as zero."""
    value, pointer = store.operands
    size = int_constant(store_size(value.type))
    runtime.CLEAR.call(sweep.b, sweep.shadow(pointer), size, size, int_constant(0), size)
