"""The one object that accesses shadow memory, for both modes: handlers say what the primal does, this says to whom."""

from __future__ import annotations

from collections.abc import Callable

from ....ir.types import Type
from ....ir.values import Instruction, Value
from ...core.alias_scopes import Metadata
from ..sweep import Sweep
from .additions import add_number, is_plain, shadow_metadata
from .bulk_writes import BulkWrite, bulk_write, mixing_at
from .fitting import container_members, refuse_small, refuse_unset
from .foreign_numbers import clear_recorded, free_recorded, record_numbers
from .foreign_pointers import loaded_shadow, record_pointers, reloaded_shadow
from .freed_shadows import record_allocated, record_freed
from .left_blocks import freed_with
from .lost_bits import refuse_bits
from .moved_tangents import ShadowCopy, copy_tangents
from .number_places import Purpose, number_place, place_of_exchange, place_of_store, read_exchanged, read_number
from .scalar_writes import ScalarWrite, scalar_write
from .taken_adjoints import take_number, take_output
from .team_additions import TeamAdditions
from .whose_shadow import WhoseShadow


class ShadowAccess(WhoseShadow):
    """Access to the shadows of memory in one derivative."""

    def __init__(self, sweep: Sweep) -> None:
        super().__init__(sweep)
        places = None if sweep.forward or sweep.is_alone else sweep.analyses.team_places
        self.team = TeamAdditions(self, places) if places is not None else None
        self._bulk: dict[Instruction, BulkWrite] = {}
        self._mixed: dict[Instruction, bool] = {}
        self._containers: dict[Instruction, int] | None = None

    # -- numbers

    def place(self, i: Instruction, pointer: Value, size: int, purpose: Purpose) -> Value:
        """Returns where the derivative of the number of `size` bytes lies that an instruction accesses."""
        return number_place(self, i, pointer, size, purpose)

    def add(self, i: Instruction, pointer: Value, adjoint: Value) -> None:
        """Adds the adjoint of what an instruction loads, whose numbers lie behind the pointer, to the shadow."""
        add_number(self, i, pointer, adjoint, self.team)

    def is_plain(self, i: Instruction) -> bool:
        """True if a load or store is of a number, and the shadow that its adjoint accesses is surely that number's."""
        return is_plain(self, i)

    def place_to_add(self, load: Instruction) -> tuple[Value, Metadata]:
        """Returns where the adjoint of a plain load is added, and the metadata of such accesses."""
        return self.sweep.shadow_of(load.operands[0]), shadow_metadata(self, load)

    def take(self, i: Instruction, pointer: Value, type_: Type, *, carries: bool) -> Value:
        """Takes the adjoint of what an instruction stored; the shadow is then zero.

        `carries`: the number that was stored has a derivative.
        """
        return take_number(self, i, pointer, type_, self.team, carries=carries)

    def take_output(self, i: Instruction, pointer: Value, type_: Type) -> Value:
        """Takes the adjoint of a number that a library function stored; the shadow is then zero."""
        return take_output(self, i, pointer, type_)

    def read(self, pointer: Value, tangent: Value) -> Value:
        """Returns a tangent that was read at its place; zero if the memory is unshadowed and nothing is recorded."""
        return read_number(self, pointer, tangent)

    def place_of_store(self, i: Instruction) -> Value:
        """Returns where to store the shadow of a value that the primal stores, in forward mode."""
        return place_of_store(self, i)

    def place_of_exchange(self, i: Instruction, pointer: Value, value: Value) -> Value:
        """Returns where an atomic operation accesses the shadow in forward mode."""
        return place_of_exchange(self, i, pointer, value)

    def read_exchanged(self, pointer: Value, value: Value, old: Value) -> Value:
        """Returns the shadow that an atomic operation has read; zero if nothing is recorded of unshadowed memory."""
        return read_exchanged(self, pointer, value, old)

    def refuse_bits(self, i: Instruction, type_: Type, pointer: Value) -> None:
        """Ends the program if the word of an integer type holds bits of a number with a derivative."""
        refuse_bits(self, i, type_, pointer)

    def scalar(self, store: Instruction) -> ScalarWrite:
        """Returns what a store does to the shadow of what lay there."""
        return scalar_write(self.activity, store)

    def holds_others(self, pointer: Value, size: int | None) -> bool:
        """Returns whether the bytes may hold numbers at one time and pointers at another."""
        return self.round.types.contents(pointer, size).is_mixed

    # -- many bytes

    def copy(self, i: Instruction, copy: ShadowCopy) -> None:
        """Emits what a copy, whose target has a shadow, does there in forward mode. `copy` emits a copy to it."""
        copy_tangents(self, i, copy)

    def bulk(self, i: Instruction) -> BulkWrite:
        """Returns what is known of the bytes that a copy, fill or reallocation writes."""
        if i not in self._bulk:
            self._bulk[i] = bulk_write(self.sweep.analyses, i)
        return self._bulk[i]

    def is_mixed(self, i: Instruction) -> bool:
        """Returns whether the run tells what a copy, fill or reallocation moves."""
        if i not in self._mixed:
            self._mixed[i] = mixing_at(self.sweep.analyses, i) is not None
        return self._mixed[i]

    # -- what the runtime records of unshadowed memory

    def record(self, i: Instruction) -> None:
        """Records, in the primal sweep, that an instruction stores numbers with derivatives."""
        record_numbers(self, i)

    def record_pointers(self, i: Instruction) -> None:
        """Records the shadows of the pointers that an instruction stores, or refuses to store them."""
        record_pointers(self, i)

    def loaded_shadow(self, i: Instruction, shadow: Value) -> Value:
        """Returns the recorded shadow of a loaded pointer, or else `shadow`, which was loaded from shadow memory."""
        return loaded_shadow(self, i, shadow)

    def refuse_unfit(self, i: Instruction, shadow: Value) -> None:
        """Ends the program if the container has more memory than its shadow whose pointer is loaded; or has none."""
        if self.round.options.check:
            refuse_unset(self, i, shadow)
        if self._containers is None:
            self._containers = container_members(self.sweep.analyses.function, self.round.types.declared)
        if i in self._containers:
            refuse_small(self, i, shadow, self._containers[i])

    def reloaded_shadow(self, load: Instruction, shadow: Value, again: Callable[[], Value]) -> Value:
        """Returns the same in the reverse sweep. `again` emits the load from the primal's memory."""
        return reloaded_shadow(self, load, shadow, again)

    def clear_recorded(self, pointer: Value, size: Value) -> None:
        """Clears what is recorded of numbers in so many bytes."""
        clear_recorded(self, pointer, size)

    # -- blocks of the heap

    def allocated(self, shadow: Value) -> None:
        """Is told of a new shadow."""
        record_allocated(self, shadow)

    def shadow_to_free(self, pointer: Value) -> Value:
        """Returns the shadow that is freed with a block; null if it has none."""
        return freed_with(self, pointer)

    def freed(self, shadow: Value) -> None:
        """Is told that a shadow is freed."""
        record_freed(self, shadow)

    def free_recorded(self, pointer: Value) -> None:
        """Forgets what is recorded of numbers in a block that is freed."""
        free_recorded(self, pointer)
