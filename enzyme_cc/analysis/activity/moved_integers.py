"""Integers in registers whose bits move on: to memory, into a struct, or to a register of another type.

A number that is only compared or counted with as an integer loses no derivative, in whichever function that happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from ...ir.graphs import leads_to
from ...ir.types import IntType
from ...ir.value_edges import COPIED_BYTES, TAKES_BITS
from ...ir.values import Argument, Instruction, Value
from ...rules.knowledge import CalleeKind
from ...rules.library_functions import DISPATCH
from ..callees import Callees
from ..type_analysis.analysis import TypeAnalysis

_UNKNOWN = (CalleeKind.UNKNOWN, CalleeKind.INDIRECT, CalleeKind.ASM, CalleeKind.CUSTOM)


class MovedIntegers:
    """Follows integers forwards through copies, arithmetic that moves bits, calls and results of functions."""

    def __init__(self, callees: Callees, types: TypeAnalysis) -> None:
        self._callees = callees
        self._types = types
        self._known: dict[Value, bool] = {}

    def move_on(self, value: Value) -> bool:
        """Returns whether bits of the integer may go on as something else. What is no integer may."""
        return leads_to(value, self._further, self._ends, self._known)

    @cached_property
    def _calls(self) -> dict[str, list[Instruction]]:
        found: dict[str, list[Instruction]] = {}
        for i in (i for i in self._types.instructions() if i.opcode == "call"):
            found.setdefault(self._callees.of(i).name, []).append(i)
        return found

    def _further(self, value: Value) -> Iterator[Value]:
        """Yields the registers that have the bits next."""
        for user in _users(value):
            if user.opcode in COPIED_BYTES:
                yield user
            elif user.opcode == "ret" and user.block is not None and user.block.function is not None:
                yield from self._calls.get(user.block.function.name, ())
            elif user.opcode == "call" and self._callees.of(user).kind is CalleeKind.DEFINED:
                formal = self._callees.module.functions[self._callees.of(user).name].arguments
                yield from (f for f, actual in zip(formal, user.arguments, strict=False) if actual is value)

    def _ends(self, value: Value) -> bool:
        return not isinstance(value.type, IntType) or any(map(self._takes, _users(value)))

    def _takes(self, user: Instruction) -> bool:
        """Returns whether the user takes the bits out of the registers that are followed."""
        if user.opcode == "call":
            is_unknown = self._callees.of(user).kind in _UNKNOWN
            return is_unknown and not _is_in_dispatcher(user)  # what a dispatcher does not know ends the program
        if user.opcode == "store":
            return not self._types.declared.is_integer_member(user)
        return user.opcode in TAKES_BITS


def _is_in_dispatcher(i: Instruction) -> bool:
    function = i.block.function if i.block is not None else None
    return function is not None and DISPATCH in function.name


def _users(value: Value) -> Iterable[Instruction]:
    return value.users if isinstance(value, Instruction | Argument) else ()
