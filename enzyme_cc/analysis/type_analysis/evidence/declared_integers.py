"""Integers that are computed from declared integers alone: counters and flags, which are no bits of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ....ir.constants import Constant
from ....ir.graphs import reachable
from ....ir.instructions import COMPARISONS, EXTENSIONS, FLOAT_TO_INTEGER
from ....ir.types import I1, IntType
from ....ir.value_edges import COMPUTED_WORD
from ....ir.values import Instruction, Value
from ...values.moved_words import MovedWords

_MAKES_INTEGERS = FLOAT_TO_INTEGER | COMPARISONS | {"ptrtoint"}


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
        if isinstance(v, Instruction) and (v.opcode in COMPUTED_WORD or v.callee_name.startswith("@llvm.")):
            found = v.operands
        follows_conditions = v.type == I1 or (isinstance(v, Instruction) and v.opcode in EXTENSIONS)
        return [o for o in found if isinstance(o.type, IntType) and (follows_conditions or o.type != I1)]

    def _is_integer(self, v: Value) -> bool:
        if isinstance(v, Constant):
            return True
        return isinstance(v, Instruction) and (
            v.opcode in _MAKES_INTEGERS or (v.opcode == "load" and self._is_declared(v))
        )
