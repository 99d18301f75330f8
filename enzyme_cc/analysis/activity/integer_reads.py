"""Finds parameters through which a function reads integers and does nothing else: it needs no shadow of that memory.

Fortran passes flags and sizes by address. A caller may have a shadow of the memory in which they lie, or not, and a
callee would have a derivative for each combination.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ...ir.graphs import leads_to
from ...ir.types import IntType, PointerType
from ...ir.value_edges import SAME_OBJECT
from ...ir.values import Argument, Instruction, Local
from ...rules.knowledge import CalleeKind
from ..callees import Callees

#: the attribute of a parameter that the function does not keep
_LENT = re.compile(r"\bcaptures\(none\)")


class IntegerReads:
    """Follows pointers forwards from parameters, also into functions with a body.

    `carries(load)`: the loaded value may carry a number or a pointer.
    """

    def __init__(self, callees: Callees, carries: Callable[[Instruction], bool]) -> None:
        self._callees = callees
        self._carries = carries
        self._used: dict[Local, bool] = {}  # whether more is done
        self._surely_used: dict[Local, bool] = {}  # the same, as far as types tell

    def are_all(self, parameter: Argument) -> bool:
        """Returns whether all that a function does with a pointer is to read integers there."""
        if not isinstance(parameter.type, PointerType) or not _LENT.search(parameter.attributes):
            return False
        start: Local = parameter
        if leads_to(start, self._further, self._is_surely_used, self._surely_used):
            return False  # what memory holds need not be asked
        return not leads_to(start, self._further, self._is_used, self._used)

    def _is_surely_used(self, value: Local) -> bool:
        return any(not isinstance(u.type, IntType) if u.opcode == "load" else not self._is_read(u) for u in value.users)

    def _is_used(self, value: Local) -> bool:
        return not all(map(self._is_read, value.users))

    def _is_read(self, user: Instruction) -> bool:
        if user.opcode == "load":
            return not self._carries(user)
        if user.opcode == "call":
            is_defined = self._callees.of(user).kind is CalleeKind.DEFINED
            return is_defined and not user.call.function_type.vararg
        return user.opcode == "icmp" or (user.opcode in SAME_OBJECT and isinstance(user.type, PointerType))

    def _further(self, value: Local) -> Iterator[Local]:
        for user in value.users:
            if user.opcode in SAME_OBJECT:
                yield user
            elif user.opcode == "call" and self._is_read(user):
                yield from self._callees.parameters(user, value)
