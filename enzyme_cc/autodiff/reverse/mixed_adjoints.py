"""Mixed memory (emit/shadow_access) in reverse mode: what the primal sweep stores, and the adjoints of copies."""

from __future__ import annotations

from collections.abc import Callable

from ...analysis.callees import plain_name
from ...analysis.storage.needs import Need, NeedKind
from ...ir.folding import int_constant, is_zero, zero
from ...ir.types import I64, PTR, store_size
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.layouts import constant_size
from ..core.mixed_words import Clearing, clear_tagged, table_of_numbers, table_of_words
from ..emit.shadow_access.mixed_memory import clear_constants
from ..emit.shadow_memory import clear
from ..globals.foreign_refusals import place_of, refuse_at
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


def copy_tagged_shadow(
    sweep: TapedCloning, i: Instruction, pointers: list[Value], to: Value, length: Value | None, size: Value
) -> None:
    """In the primal sweep, copies the pointers in the shadow to `to`, and puts them on the tape.

    `pointers` are the target and the source, whose words tell pointers from numbers. `length` is the number of bytes in
    the primal function, None if unknown. What a reallocation copies to is new, so nothing comes back there.
    """
    target, source = pointers
    origin, table = sweep.shadow_of(source), table_of_words(sweep.round, pointers, length)
    kept = runtime.TAGGED_KEEP.call(sweep.b, sweep.frame.arena, origin, size, sweep.of(source), *table)
    own = int_constant(int(sweep.round.types.points_to.is_private(target)))
    if target is not i and _comes_back(sweep, target):
        arguments = sweep.of(target), to, sweep.of(source), kept, size
        runtime.KEEP_POINTERS.call(sweep.b, sweep.frame.arena, *arguments, *table)
    runtime.TAGGED_COPY.call(sweep.b, to, origin, size, kept, own, *table)
    sweep.save(Need(NeedKind.BYTES, i, sweep.direction), lambda: kept)


#: emits the adjoint of a copy of mixed memory: of the pointers, the length in the primal, both shadows and their size
AdjointOfMixed = Callable[[ReverseValues, Instruction, list[Value], Value | None, tuple[Value, Value, Value]], None]


def adjoint_of_tagged_copy(
    sweep: ReverseValues,
    i: Instruction,
    pointers: list[Value],
    length: Value | None,
    memory: tuple[Value, Value, Value],
) -> None:
    """In the reverse sweep, adds the numbers in the shadow of the target to those of the source, and leaves zero.

    `memory`: both shadows, and the number of bytes there.
    """
    kept = sweep.need(Need(NeedKind.BYTES, i, sweep.direction))
    table = table_of_words(sweep.round, pointers, length)
    runtime.TAGGED_ADJOINT.call(sweep.b, *memory, kept, *table, name_of(sweep, i))


def adjoint_of_mixed_copy(
    sweep: ReverseValues,
    i: Instruction,
    pointers: list[Value],
    length: Value | None,
    memory: tuple[Value, Value, Value],
) -> None:
    """The same where the shadows of numbers are zero in the primal sweep."""
    kept = sweep.need(Need(NeedKind.BYTES, i, sweep.direction))
    table = table_of_numbers(sweep.round, pointers, length)
    runtime.MIXED_ADJOINT.call(sweep.b, *memory, kept, *table, name_of(sweep, i))


def name_of(sweep: ReverseValues, i: Instruction) -> Value:
    """Returns a text that names the copy, for a refusal at run time."""
    return sweep.round.text(f"{place_of(sweep.round, i)} (in {plain_name(sweep.analyses.function.name)})")


def clear_before_write(sweep: TapedCloning, pointer: Value, size: Value) -> None:
    """In the primal sweep, clears the words to which numbers are written: a shadow of a pointer may still be there."""
    types, shadow = sweep.round.types, sweep.shadow_of(pointer)
    if types.points_to.is_private(pointer) and types.contents(pointer, None).is_packed:
        clear(sweep.b, shadow, size)
        return
    if types.points_to.is_private(pointer):
        if types.contents(pointer, None).is_near_pointers:  # otherwise the memory may end within the word
            runtime.CLEAR_WORDS.call(sweep.b, shadow, size)
        return
    there = sweep.memory.size_there(pointer, size)
    if types.contents(pointer, constant_size(size)).leaves_pointers:
        runtime.CLEAR_POINTERS.call(sweep.b, shadow, there)
    else:
        clear_tagged(sweep.round, sweep.b, shadow, Clearing(pointer, size, there, True))


def keep_pointer(sweep: TapedCloning, store: Instruction) -> None:
    """In the primal sweep, notes the shadow of a pointer where numbers lie at other times, and that others can see.

    The reverse sweep overwrites it with adjoints of such numbers.
    """
    value, pointer = store.operands
    if not _comes_back(sweep, pointer) or is_zero(value) or value.type not in (PTR, I64):
        return
    if not sweep.memory.holds_others(pointer, store_size(value.type)):
        return
    there = sweep.memory.other_shadow(pointer)
    both = sweep.of(value), sweep.shadow_of(value)
    if value.type == I64:  # an address in an integer may have a tag, which stays
        both = sweep.b.cast("inttoptr", both[0], PTR), sweep.b.cast("inttoptr", both[1], PTR)
    runtime.KEEP_POINTER.call(sweep.b, sweep.frame.arena, sweep.of(pointer), there, *both)


def _comes_back(sweep: TapedCloning, pointer: Value) -> bool:
    """Returns whether shadows of pointers at this place are restored in the end.

    A later round restores nothing. A step that runs again (checkpoints) needs the shadow as the reverse sweep left it.
    """
    round = sweep.round
    is_last = not round.options.differentiated_again and not round.registered.gradients
    return is_last and not round.types.points_to.is_private(pointer)


def clear_after_store(sweep: ReverseValues, store: Instruction) -> None:
    """In the reverse sweep, clears the shadow of a stored pointer: the adjoint of an earlier number begins as zero."""
    value, pointer = store.operands
    bytes_ = store_size(value.type)
    size = int_constant(bytes_)
    there = sweep.memory.size_there(pointer, size)
    sweep.memory.clear_recorded(pointer, size)
    if sweep.activity.carriers.is_cleared_at(pointer, bytes_):
        runtime.CLEAR.call(sweep.b, sweep.shadow_of(pointer), there, there, int_constant(0), there)
    else:
        clear_tagged(sweep.round, sweep.b, sweep.shadow_of(pointer), Clearing(pointer, size, there, False))


_NUMBER_AS_POINTER = (
    "%s: a number that carries a derivative was copied, passed or returned in a pointer's register, as a part of a "
    "union [EZ0304]; copy it as a number, and pass the union's address"
)


def refuse_number(sweep: TapedCloning, store: Instruction) -> None:
    """Emits code that ends the program if a stored pointer is a number: no adjoint follows it."""
    value = store.operands[0]
    word, shadow = sweep.of(value), sweep.shadow_of(value)
    if sweep.activity.carriers.is_read_outside(value):
        is_number: Value = sweep.b.icmp("eq", runtime.IS_POINTER.call(sweep.b, word, shadow), int_constant(0))
    else:  # among words of this program, only pointers have a shadow in the primal sweep
        is_something = sweep.b.icmp("ne", word, zero(PTR))
        is_number = sweep.b.int_op("and", is_something, sweep.b.icmp("eq", shadow, zero(PTR)))
    refuse_at(sweep.round, sweep.b, store, is_number, _NUMBER_AS_POINTER)
