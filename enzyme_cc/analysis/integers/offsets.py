"""Offsets of addresses in an object: a number of bytes, a number of bytes modulo another number, or unknown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd
from typing import NamedTuple

from ...ir.constants import ConstantExpr, GlobalRef
from ...ir.graphs import reachable
from ...ir.indices import address_terms
from ...ir.types import Type
from ...ir.values import Argument, Instruction, Value
from .divisors import Divisors


class Residue(NamedTuple):
    """The numbers value + k·modulus for all k. The modulus is more than 1."""

    value: int
    modulus: int


Offset = int | Residue | None


def moved(offset: Offset, by: Offset) -> Offset:
    """Returns the sum of two offsets."""
    if offset is None or by is None:
        return None
    if isinstance(offset, int) and isinstance(by, int):
        return offset + by
    return _residue(_value(offset) + _value(by), gcd(_modulus(offset), _modulus(by)))


def either(a: Offset, b: Offset) -> Offset:
    """Returns the most exact offset that covers both."""
    if a is None or b is None or a == b:
        return a if a == b else None
    return _residue(_value(a), gcd(_modulus(a), _modulus(b), _value(a) - _value(b)))


def may_overlap(a: Offset, size_a: int | None, b: Offset, size_b: int | None) -> bool:
    """True if ranges of these sizes at the offsets may have a byte in common. A size of None is unknown."""
    if a is None or b is None or size_a is None or size_b is None:
        return True
    modulus, distance = gcd(_modulus(a), _modulus(b)), _value(a) - _value(b)
    if not modulus:
        return distance < size_b and -distance < size_a
    distance %= modulus
    return distance < size_b or distance + size_a > modulus


def _value(offset: int | Residue) -> int:
    return offset if isinstance(offset, int) else offset.value


def _modulus(offset: int | Residue) -> int:
    return 0 if isinstance(offset, int) else offset.modulus


def _residue(value: int, modulus: int) -> Residue | None:
    return Residue(value % modulus, modulus) if modulus > 1 else None


# -- addresses


def base_of(pointer: Value) -> Value:
    """Returns the pointer that an instruction, or several, computed an address from."""
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr":
        pointer = pointer.operands[0]
    return pointer


def constant_place(pointer: Value) -> tuple[Value, int]:
    """Returns the pointer that constant offsets are added to, and their sum."""
    offset = 0
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr":
        constant, variable = address_terms(pointer.source_type, pointer.operands[1:])
        if variable:
            break
        pointer, offset = pointer.operands[0], offset + constant
    return pointer, offset


def addresses_from(base: Instruction | Argument) -> Iterator[Instruction | Argument]:
    """Yields the pointer and the addresses that are computed from it: the reverse of `base_of`."""
    return reachable([base], lambda v: (u for u in v.users if u.opcode == "getelementptr"))


def global_of(pointer: Value) -> str | None:
    """Returns the name of the global that a pointer points into, at any offset; None for other pointers."""
    while isinstance(pointer, Instruction | ConstantExpr) and pointer.opcode == "getelementptr":
        pointer = pointer.operands[0]
    return pointer.name if isinstance(pointer, GlobalRef) else None


def offset_in_global(pointer: object) -> Offset:
    """Returns the offset of a constant address in its global; None if it is not known."""
    if isinstance(pointer, GlobalRef):
        return 0
    if not isinstance(pointer, ConstantExpr) or pointer.opcode != "getelementptr" or pointer.source is None:
        return None
    return moved(offset_in_global(pointer.operands[0]), offset_of(pointer.source, pointer.operands[1:]))


def offset_of(source: Type, indices: Sequence[Value]) -> Offset:
    """Returns the offset that the indices of a getelementptr add. Addresses do not wrap around; integers may."""
    constant, variable = address_terms(source, indices)
    offset: Offset = constant
    for index, scale in variable:
        divisor = _DIVISORS.of(index)
        if divisor:
            offset = moved(offset, _residue(0, scale * divisor))
    return offset


_DIVISORS = Divisors(wraps=lambda _: True)
