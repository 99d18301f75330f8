"""Which integers something may take for a pointer: the others are only compared, computed with, or used as an index.

Type analysis tells kinds of bytes in memory. Where a library keeps all its objects in memory of one kind, every integer
that is loaded there may be a pointer, by that evidence. Its uses tell more: a pointer must reach an `inttoptr`, memory,
a result or unknown code before anything is done with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.graphs import leads_to
from ...ir.instructions import COPIES, INSTRUCTIONS
from ...ir.types import IntType
from ...ir.value_edges import LOOKS_AT
from ...ir.values import Instruction, Local, Value
from ...rules.knowledge import CalleeKind
from ..callees import Callees

#: kinds of functions whose integer arguments are sizes
_SIZED = {CalleeKind.ALLOCATE, CalleeKind.REALLOCATE, CalleeKind.COPY}


class WordUses:
    """Follows integers forwards through arithmetic and through calls of functions with a body."""

    def __init__(self, callees: Callees) -> None:
        self.callees = callees
        self._found: dict[Local, bool] = {}

    def may_be_pointer(self, value: Value) -> bool:
        """Returns whether something may take the value for a pointer, or what is computed from it."""
        if not isinstance(value, Local) or not isinstance(value.type, IntType):
            return True
        return leads_to(value, self._results, self._is_taken, self._found)

    def _is_taken(self, value: Local) -> bool:
        return any(not self._is_followed(u, value) for u in value.users)

    def _is_followed(self, user: Instruction, value: Local) -> bool:
        """Returns whether `_results` has all that becomes of the value at one of its users."""
        if user.opcode in LOOKS_AT:
            return True
        if user.opcode != "call":
            return isinstance(user.type, IntType) and (user.opcode in COPIES or INSTRUCTIONS[user.opcode].pure)
        callee = self.callees.of(user)
        if callee.kind is CalleeKind.DEFINED:
            return not user.call.function_type.vararg
        return callee.kind in _SIZED or _is_arithmetic(user, callee.name)

    def _results(self, value: Local) -> Iterator[Local]:
        """Yields what the value's users make of it, as far as they are followed."""
        for user in value.users:
            if user.opcode in LOOKS_AT:
                continue
            if user.opcode != "call" or _is_arithmetic(user, self.callees.of(user).name):
                yield user
            elif self.callees.of(user).kind is CalleeKind.DEFINED:
                yield from self.callees.parameters(user, value)


def _is_arithmetic(call: Instruction, name: str) -> bool:
    return name.startswith("@llvm.") and isinstance(call.type, IntType)
