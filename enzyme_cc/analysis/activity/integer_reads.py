"""Which parameters a function only reads integers through: it needs no shadow of that memory.

Fortran passes flags and sizes by address. A caller may have a shadow of the memory in which they lie, or not, and a
callee would have a derivative for each combination.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ...ir.graphs import reachable
from ...ir.types import PointerType
from ...ir.values import Argument, Instruction, Local
from ..callees import CalleeKind, Callees

_SAME = {"getelementptr", "phi", "select", "freeze"}
#: the attribute of a parameter that the function does not keep
_LENT = re.compile(r"\bcaptures\(none\)")


class IntegerReads:
    """Follows pointers forwards from parameters, also into functions with a body.

    `carries(load)`: the loaded value may carry a number or a pointer.
    """

    def __init__(self, callees: Callees, carries: Callable[[Instruction], bool]) -> None:
        self._callees = callees
        self._carries = carries
        self._found: dict[Local, bool] = {}

    def are_all(self, parameter: Argument) -> bool:
        """Returns whether all that a function does with a pointer is to read integers there."""
        if not isinstance(parameter.type, PointerType) or not _LENT.search(parameter.attributes):
            return False
        if parameter not in self._found:
            start: Local = parameter
            passed: list[Local] = []
            for value in reachable([start], self._further):
                if self._found.get(value) is False or not all(self._is_read(u, value) for u in value.users):
                    self._found[parameter] = False
                    break
                passed.append(value)
            else:
                self._found.update(dict.fromkeys(passed, True))
        return self._found[parameter]

    def _is_read(self, user: Instruction, value: Local) -> bool:
        if user.opcode == "load":
            return not self._carries(user)
        if user.opcode == "call":
            is_defined = self._callees.of(user).kind is CalleeKind.DEFINED
            return is_defined and not user.call.function_type.vararg
        return user.opcode == "icmp" or (user.opcode in _SAME and isinstance(user.type, PointerType))

    def _further(self, value: Local) -> Iterator[Local]:
        for user in value.users:
            if user.opcode in _SAME:
                yield user
            elif user.opcode == "call" and self._is_read(user, value):
                function = self._callees.module.body(self._callees.of(user).name)
                yield from (p for a, p in zip(user.arguments, function.arguments, strict=False) if a is value)
