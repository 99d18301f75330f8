"""Whose shadow a pointer has: the test at run time, and what is used in place of the shadow of constant memory."""

from __future__ import annotations

from ....analysis.memory.shadow_state import MemoryState, ShadowStates
from ....ir.constants import Constant
from ....ir.folding import int_constant, zero
from ....ir.types import I64, PTR
from ....ir.values import Value
from ..sweep import Sweep


class WhoseShadow:
    """The state of memory in one derivative (analysis/memory/shadow_state.py), and the tests that it asks for."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.round = sweep.round
        self.activity = sweep.activity
        self.foreign = sweep.round.foreign  # what happens to derivatives in unshadowed memory
        self._states: ShadowStates = sweep.analyses.shadow_states(forward=sweep.forward, is_alone=sweep.is_alone)

    def state(self, pointer: Value) -> MemoryState:
        return self._states.of(pointer)

    def anchored_state(self, pointer: Value) -> MemoryState:
        return self.state(self.sweep.anchor(pointer))

    def is_unshadowed(self, pointer: Value) -> Value | None:
        """Returns the test that the pointer is its own shadow; None if it surely is not."""
        if not self.state(pointer).may_be_unshadowed:
            return None
        compared = self.sweep.anchor(pointer) if self.sweep.has_all_values else pointer
        test = self.sweep.b.icmp("eq", self.sweep.shadow_of(compared), self.sweep.of(compared))
        self.round.note_test(test)
        return test

    def lies_in_unshadowed(self, pointer: Value) -> Value | None:
        """Returns the same test, if the pointer that the address is computed from may be its own shadow."""
        return self.is_unshadowed(self.sweep.anchor(pointer))

    def other_shadow(self, pointer: Value) -> Value:
        """Returns the shadow, or null if the pointer is its own shadow."""
        same, shadow = self.is_unshadowed(pointer), self.sweep.shadow_of(pointer)
        return shadow if same is None else self.sweep.b.select(same, zero(PTR), shadow)

    def stored_shadow(self, value: Value, pointer: Value) -> Value:
        """Returns what the primal sweep stores in the shadow: unshadowed memory holds the primal's value already."""
        sweep, same = self.sweep, self.is_unshadowed(pointer) if self.activity.shadowed(value) else None
        shadow = sweep.shadow_of(value)
        return shadow if same is None else sweep.b.select(same, sweep.of(value), shadow)

    def size_there(self, pointer: Value, size: Value) -> Value:
        """Returns the number of bytes to write in the shadow: none for unshadowed memory, which is the primal's."""
        same = self.is_unshadowed(pointer)
        return size if same is None else self.sweep.b.select(same, zero(size.type), size)

    def flag(self, test: Value) -> Value:
        """Returns a test as the runtime takes it."""
        return self.sweep.b.cast("zext", test, I64)

    def constant_flag(self, pointer: Value) -> Value | None:
        """Returns a number that is not zero if the memory has no shadow; None if it surely has one."""
        if not self.activity.shadowed(pointer):
            return int_constant(1)
        test = self.is_unshadowed(pointer)
        return None if test is None else self.flag(test)

    def constant_bytes(self, pointer: Value, size: Value) -> Value:
        """Returns how many of the bytes are constants: all if the memory is constant, else none."""
        if not isinstance(pointer, Constant) and not self.activity.shadowed(pointer):
            return size
        same = self.is_unshadowed(pointer)
        return int_constant(0) if same is None else self.sweep.b.select(same, size, int_constant(0))

    def number_flag(self, pointer: Value) -> Value | None:
        """Returns the test that the runtime may have shadows of numbers there; None if it surely has none."""
        test = self.is_unshadowed(pointer) if self.foreign.records_numbers else None
        return None if test is None else self.flag(test)

    # -- what a reallocation leaves

    def is_unshadowed_block(self, pointer: Value) -> Value | None:
        """Returns the test that the pointer is its own shadow and not null, whose shadow is null."""
        same = self.is_unshadowed(pointer)
        if same is None:
            return None
        return self.sweep.b.int_op("and", same, self.sweep.b.icmp("ne", self.sweep.of(pointer), zero(PTR)))
