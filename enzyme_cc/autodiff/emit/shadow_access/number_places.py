"""Where the derivative of a number in memory lies: one decision for all accesses, in both modes.

What is known of the memory (analysis/memory/shadow_state.py), and the place:

- it surely has a shadow: the shadow
- it may be unshadowed, and no derivative is stored there: the shadow, or else scratch memory
- it may be unshadowed, and a derivative stored there is refused: the program ends, so the shadow
- it may be unshadowed, and the runtime records what is stored there: where the runtime tells (no_shadow_numbers.c)

What is read in unshadowed memory is no derivative. So where nothing is recorded, the reader takes zero in its place.
"""

from __future__ import annotations

from enum import Enum, IntEnum

from ....ir.constants import ConstantInt
from ....ir.folding import int_constant, zero
from ....ir.types import PTR, store_size
from ....ir.values import Instruction, Value
from ....rules import runtime_functions as runtime
from ...globals.foreign_refusals import refuse_write
from .foreign_pointers import record_pointers
from .whose_shadow import WhoseShadow


class Presence(IntEnum):
    """What is asked of the block of a recorded number, as the runtime has it."""

    IF_THERE = 0
    MAKE = 1
    MUST_BE_THERE = 2


class Purpose(Enum):
    """What a place is wanted for: what is asked of a recorded number, and whether a derivative is, or was, stored.

    - READ: a tangent is read.
    - ADD: an adjoint is added.
    - SET, OVERWRITE: in forward mode, a tangent is stored, or the zero of a constant.
    - TAKE, CLEAR: in the reverse sweep, the adjoint of a stored number is taken, or that of a stored constant cleared.
    """

    READ = "read"
    ADD = "add"
    SET = "set"
    OVERWRITE = "overwrite"
    TAKE = "take"
    CLEAR = "clear"

    @property
    def carries(self) -> bool:
        """True if the primal stores a number that carries a derivative."""
        return self in (Purpose.SET, Purpose.TAKE)

    @property
    def presence(self) -> Presence:
        return _PRESENCES[self]


_PRESENCES = {
    Purpose.READ: Presence.IF_THERE,
    Purpose.ADD: Presence.IF_THERE,
    Purpose.SET: Presence.MAKE,
    Purpose.OVERWRITE: Presence.IF_THERE,
    Purpose.TAKE: Presence.MUST_BE_THERE,
    Purpose.CLEAR: Presence.IF_THERE,
}


def number_place(access: WhoseShadow, i: Instruction, pointer: Value, size: int, purpose: Purpose) -> Value:
    """Returns where the derivative of the number of `size` bytes lies that an instruction accesses."""
    sweep, state = access.sweep, access.anchored_state(pointer)
    if state.refuses_numbers and purpose.carries:
        refuse_write(sweep.round, sweep.b, i, access.lies_in_unshadowed(pointer))
        return sweep.shadow_of(pointer)
    shadow = sweep.shadow_of(pointer)
    if purpose is Purpose.READ and not state.is_recorded:
        return shadow
    same = access.lies_in_unshadowed(pointer)
    if same is None:
        return shadow
    if not state.is_recorded:
        return sweep.b.select(same, sweep.scratch(), shadow)
    return _recorded(access, access.flag(same), shadow, size, purpose)


def _recorded(access: WhoseShadow, flag: Value, shadow: Value, size: int, purpose: Purpose) -> Value:
    """Emits the search for the shadow of a number. Where it has none, null stands for a zero that is read."""
    sweep = access.sweep
    spare = zero(PTR) if purpose is Purpose.READ else sweep.scratch()
    asked = int_constant(size), int_constant(purpose.presence), int_constant(sweep.direction)
    return runtime.FOREIGN_NUMBER.call(sweep.b, flag, shadow, spare, *asked)


def purpose_of_store(carries: bool) -> Purpose:
    """Returns what a place is wanted for by a store of a number in forward mode, with a derivative or without."""
    return Purpose.SET if carries else Purpose.OVERWRITE


def place_of_store(access: WhoseShadow, i: Instruction) -> Value:
    """Returns where to store the shadow of a value that the primal stores, in forward mode.

    The primal's store comes later. So where nothing is recorded, unshadowed memory needs no other place.
    """
    value, pointer = i.operands
    carries, sweep = value in access.activity.varied, access.sweep
    if access.foreign.records_numbers and (isinstance(value, ConstantInt) or _is_number(access, value)):
        return number_place(access, i, pointer, store_size(value.type), purpose_of_store(carries))
    if carries:
        refuse_write(sweep.round, sweep.b, i, access.is_unshadowed(pointer))
    else:
        record_pointers(access, i)
    return sweep.shadow_of(pointer)


def place_of_exchange(access: WhoseShadow, i: Instruction, pointer: Value, value: Value) -> Value:
    """Returns where an atomic operation accesses the shadow in forward mode."""
    carries = (access.foreign.records_numbers and _is_number(access, value)) or value in access.activity.varied
    return number_place(access, i, pointer, store_size(value.type), purpose_of_store(carries))


def read_exchanged(access: WhoseShadow, pointer: Value, value: Value, old: Value) -> Value:
    """Returns the shadow that an atomic operation has read; zero if the memory is unshadowed, unless it is recorded."""
    is_recorded = access.foreign.records_numbers and _is_number(access, value)
    return old if is_recorded else _unless_unshadowed(access, pointer, old)


def read_number(access: WhoseShadow, pointer: Value, read: Value) -> Value:
    """Returns a tangent that was read at its place; zero if the memory is unshadowed and nothing is recorded."""
    return read if access.foreign.records_numbers else _unless_unshadowed(access, pointer, read)


def _is_number(access: WhoseShadow, value: Value) -> bool:
    return not access.activity.carriers.can_point(value)


def _unless_unshadowed(access: WhoseShadow, pointer: Value, read: Value) -> Value:
    same = access.is_unshadowed(pointer)
    return read if same is None else access.sweep.b.select(same, zero(read.type), read)
