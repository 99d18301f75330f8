"""Which integers something may take for a pointer: the others are only compared, computed with, or used as an index.

Type analysis tells kinds of bytes in memory. Where a library keeps all its objects in memory of one kind, every integer
that is loaded there may be a pointer, by that evidence. Its uses tell more: a pointer must reach an `inttoptr`, memory,
a result or unknown code before anything is done with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.graphs import reachable
from ...ir.instructions import COPIES, INSTRUCTIONS
from ...ir.types import IntType
from ...ir.values import Argument, Instruction, Local, Value
from ..callees import CalleeKind, Callees

_NOTHING = {"icmp", "br", "switch", "getelementptr"}
#: kinds of functions whose integer arguments are sizes
_SIZED = {CalleeKind.ALLOCATE, CalleeKind.REALLOCATE, CalleeKind.COPY}


class WordUses:
    """Follows integers forwards through arithmetic and through calls of functions with a body."""

    def __init__(self, callees: Callees) -> None:
        self.callees = callees
        self._found: dict[Value, bool] = {}

    def may_be_pointer(self, value: Value) -> bool:
        """Returns whether something may take the value for a pointer, or what is computed from it."""
        if not isinstance(value, Local) or not isinstance(value.type, IntType):
            return True
        if value not in self._found:
            passed: list[Value] = []
            for v in reachable([value], self._results):
                if self._found.get(v, False) or any(not self._is_followed(u, v) for u in v.users):
                    self._found[value] = True
                    break
                passed.append(v)
            else:
                self._found.update(dict.fromkeys(passed, False))
        return self._found[value]

    def _is_followed(self, user: Instruction, value: Local) -> bool:
        """Returns whether `_results` has all that becomes of the value at one of its users."""
        if user.opcode in _NOTHING:
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
            if user.opcode in _NOTHING:
                continue
            if user.opcode != "call" or _is_arithmetic(user, self.callees.of(user).name):
                yield user
            elif self.callees.of(user).kind is CalleeKind.DEFINED:
                yield from self._parameters(user, value)

    def _parameters(self, call: Instruction, value: Local) -> Iterator[Argument]:
        function = self.callees.module.body(self.callees.of(call).name)
        return (p for a, p in zip(call.arguments, function.arguments, strict=False) if a is value)


def _is_arithmetic(call: Instruction, name: str) -> bool:
    return name.startswith("@llvm.") and isinstance(call.type, IntType)
