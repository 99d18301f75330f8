"""Finds memory in which code may have put the distance of two objects: only a difference of two pointers is one.

A count of bytes that is added to a pointer leads to the same place in shadow memory. The distance of two objects does
not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ....ir.constants import GlobalRef
from ....ir.graphs import reachable
from ....ir.types import IntType
from ....ir.value_edges import DISTANCE
from ....ir.values import Function, Instruction, Value

_ADDRESS_BITS = 64


class StoredDistances:
    """Follows differences of pointers forwards through functions, to where they are stored.

    `is_address(value)`: whether an integer may be an address.
    """

    def __init__(self, functions: Iterable[Function], is_address: Callable[[Value], bool]) -> None:
        self._functions = {f.name: f for f in functions}
        self._is_address = is_address
        instructions = [i for f in self._functions.values() for i in f.instructions()]
        self._calls: dict[str, list[Instruction]] = {}
        for i in instructions:
            if i.is_call and isinstance(i.callee, GlobalRef):
                self._calls.setdefault(i.callee.name, []).append(i)
        differences: list[Value] = [i for i in instructions if self._is_difference(i)]
        found = reachable(differences, self._next)
        #: the stores that may write a distance
        self.stores = [i for i in found if isinstance(i, Instruction) and i.opcode == "store"]

    def _is_difference(self, i: Instruction) -> bool:
        is_word = isinstance(i.type, IntType) and i.type.bits == _ADDRESS_BITS
        return i.opcode == "sub" and is_word and all(map(self._is_address, i.operands))

    def _next(self, value: Value) -> Iterable[Value]:
        if isinstance(value, Instruction) and value.opcode == "store":
            return ()
        return [n for user in getattr(value, "users", ()) for n in self._given_to(user, value)]

    def _given_to(self, user: Instruction, value: Value) -> Iterable[Value]:
        if user.opcode in DISTANCE or (user.opcode == "store" and user.operands[0] is value):
            return [user]
        if user.opcode == "ret":
            function = user.block.function if user.block is not None else None
            return self._calls.get(function.name, ()) if function is not None else ()
        if not user.is_call or not isinstance(user.callee, GlobalRef):
            return ()
        callee = self._functions.get(user.callee.name)
        parameters = zip(user.arguments, callee.arguments, strict=False) if callee is not None else ()
        return [parameter for argument, parameter in parameters if argument is value]
