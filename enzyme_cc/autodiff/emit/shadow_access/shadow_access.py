"""The one object that accesses shadow memory, for both modes: handlers say what the primal does, this says to whom."""

from __future__ import annotations

from ....ir.types import Type
from ....ir.values import Instruction, Value
from .additions import add_number
from .lost_bits import refuse_bits
from .number_places import Purpose, number_place, unless_unshadowed
from .taken_adjoints import take_number, take_output
from .whose_shadow import WhoseShadow


class ShadowAccess(WhoseShadow):
    """Access to the shadows of memory in one derivative."""

    # -- numbers

    def place(self, i: Instruction, pointer: Value, size: int, purpose: Purpose) -> Value:
        """Returns where the derivative of the number of `size` bytes lies that an instruction accesses."""
        return number_place(self, i, pointer, size, purpose)

    def add(self, i: Instruction, pointer: Value, adjoint: Value) -> None:
        """Adds the adjoint of what an instruction loads, whose numbers lie behind the pointer, to the shadow."""
        add_number(self, i, pointer, adjoint)

    def take(self, i: Instruction, pointer: Value, type_: Type, *, carries: bool) -> Value:
        """Takes the adjoint of what an instruction stored; the shadow is then zero.

        `carries`: the number that was stored has a derivative.
        """
        return take_number(self, i, pointer, type_, carries=carries)

    def take_output(self, i: Instruction, pointer: Value, type_: Type) -> Value:
        """Takes the adjoint of a number that a library function stored; the shadow is then zero."""
        return take_output(self, i, pointer, type_)

    def unless_unshadowed(self, pointer: Value, read: Value) -> Value:
        """Returns a tangent that was read at a place; zero if the memory is unshadowed."""
        return unless_unshadowed(self, pointer, read)

    def refuse_bits(self, i: Instruction, type_: Type, pointer: Value) -> None:
        """Ends the program if the word of an integer type holds bits of a number with a derivative."""
        refuse_bits(self, i, type_, pointer)
