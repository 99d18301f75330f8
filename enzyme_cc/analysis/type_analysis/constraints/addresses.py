"""Offsets and strides of address computations, and the properties of index values that they need."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from ....ir.constants import ConstantInt
from ....ir.indices import address_terms
from ....ir.types import I1, IntType, Type
from ....ir.value_edges import FEW_VALUES
from ....ir.values import Instruction, Value
from ....rules.runtime_functions import ALIKE
from ...integers.divisors import Divisors

_DEPTH = 6
_FEW = 4


def address_offset(source: Type, indices: Sequence[Value]) -> tuple[int, int]:
    """Returns the bytes that the indices of a getelementptr add: a constant offset, and the stride of the rest."""
    offset, variable = address_terms(source, indices)
    return offset, gcd(*(scale * _DIVISORS.of(index) for index, scale in variable))


def choices(indices: Sequence[Value]) -> list[Sequence[Value]]:
    """Returns the indices. If one of them has a few values only: the indices for each of these."""
    for k, index in enumerate(indices):
        values = None if isinstance(index, ConstantInt) else few_values(index)
        if values is not None:
            return [(*indices[:k], ConstantInt(index.type, v), *indices[k + 1 :]) for v in sorted(values)]
    return [indices]


def few_values(value: Value, depth: int = 0) -> frozenset[int] | None:
    """Returns all values of an integer, if these are a few constants."""
    if isinstance(value, ConstantInt):
        return frozenset([value.value])
    if not isinstance(value, Instruction) or depth > _DEPTH:
        return None
    if value.opcode == "zext" and value.operands[0].type == I1:
        return frozenset([0, 1])
    found = [few_values(o, depth + 1) for o in FEW_VALUES.operands(value)]
    if not found or any(values is None for values in found):
        return None
    together = frozenset(v for values in found for v in values or ())
    return together if len(together) <= _FEW else None


def is_address(value: Value) -> bool:
    """Returns whether the integer is a pointer's address."""
    return isinstance(value, Instruction) and value.opcode == "ptrtoint"


def _distance(i: Instruction) -> int | None:
    """Returns 0 for a distance between elements of an array, whose size is not known.

    Such are the difference of two pointers, and what stand-ins declare. Elements of an array are alike, so that adding
    a distance to a pointer gives a place like the one before.
    """
    is_difference = i.opcode == "sub" and all(map(is_address, i.operands))
    return 0 if is_difference or i.callee_name == ALIKE.symbol else None


def _wraps(i: Instruction) -> bool:
    """Returns whether arithmetic may wrap around: not in 64 bits, where it would lead outside of any array."""
    return not isinstance(i.type, IntType) or i.type.bits < 64


_DIVISORS = Divisors(_wraps, _distance)
