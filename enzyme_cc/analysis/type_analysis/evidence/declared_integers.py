"""Integers that are computed from declared integers alone: counters and flags, which are no bits of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ....ir.constants import Constant
from ....ir.graphs import reachable
from ....ir.instructions import COPIES, EXTENSIONS, INTEGER_ARITHMETIC, RESIZES
from ....ir.types import I1, IntType
from ....ir.values import Instruction, Value
from .moved_words import MovedWords

_COMPUTES = COPIES | INTEGER_ARITHMETIC | RESIZES
_MAKES_INTEGERS = frozenset(["fptosi", "fptoui", "ptrtoint", "icmp", "fcmp"])


class DeclaredIntegers:
    """Follows integers backwards, also into callers. `is_declared`: a load of what `!tbaa` declares an integer."""

    def __init__(self, moved: MovedWords, is_declared: Callable[[Instruction], bool]) -> None:
        self._moved = moved
        self._is_declared = is_declared

    def may_be_bits(self, value: Value) -> bool:
        """Returns whether some of the integer may come from elsewhere than declared integers: from bits of a number."""
        return any(not self._parts(v) and not self._is_integer(v) for v in reachable([value], self._parts))

    def _parts(self, v: Value) -> list[Value]:
        """Returns the integers that the value is computed from. Of conditions, those count that become integers."""
        found: Iterable[Value] = self._moved.origins(v)
        if isinstance(v, Instruction) and (v.opcode in _COMPUTES or v.callee_name.startswith("@llvm.")):
            found = v.operands
        follows_conditions = v.type == I1 or (isinstance(v, Instruction) and v.opcode in EXTENSIONS)
        return [o for o in found if isinstance(o.type, IntType) and (follows_conditions or o.type != I1)]

    def _is_integer(self, v: Value) -> bool:
        if isinstance(v, Constant):
            return True
        return isinstance(v, Instruction) and (
            v.opcode in _MAKES_INTEGERS or (v.opcode == "load" and self._is_declared(v))
        )
