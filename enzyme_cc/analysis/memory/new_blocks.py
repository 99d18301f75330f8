"""Pointers into heap blocks that the running call has allocated itself, or a function that it called."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.folding import is_zero
from ...ir.module import Module
from ...ir.value_edges import SAME_OBJECT
from ...ir.values import Function, Instruction, Value
from ...rules.memory_functions import heap_family
from ..callees import plain_name
from ..values.flow import ends

_REALLOCATES = ("realloc", "reallocarray")


class NewBlocks:
    """Answers about the functions of a module. `is_other`: of some calls, other code says what they do."""

    def __init__(self, module: Module, is_other: Callable[[Instruction], bool]) -> None:
        self._module = module
        self._is_other = is_other
        self._returns_new: dict[str, bool] = {}

    def holds(self, pointer: Value) -> bool:
        """Returns whether the pointer surely leads into such a block."""
        return all(is_zero(v) or self._is_new(v) for v in ends([pointer], SAME_OBJECT))

    def _is_new(self, value: Value) -> bool:
        if not isinstance(value, Instruction) or not value.callee_name or self._is_other(value):
            return False
        name = value.callee_name
        if heap_family(plain_name(name)) is not None:
            return plain_name(name) not in _REALLOCATES
        return self._returns(name)

    def _returns(self, name: str) -> bool:
        """Returns whether a function returns such pointers alone. In a recursion, that is not assumed."""
        if name not in self._returns_new:
            self._returns_new[name] = False
            if name in self._module.functions:
                self._returns_new[name] = self._all_new(self._module.body(name))
        return self._returns_new[name]

    def _all_new(self, function: Function) -> bool:
        returned = [i.operands[0] for i in function.instructions() if i.opcode == "ret" and i.operands]
        return bool(returned) and all(map(self.holds, returned))
