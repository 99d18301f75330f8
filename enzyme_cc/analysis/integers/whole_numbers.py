"""Masks that round a number to a whole one: they clear the bits below 1, and its exponent shifts them.

The result is a staircase, whose derivative is zero. A mask that keeps smaller parts than 1 is none of these: with
enough digits, the result would be smooth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...ir.constants import ConstantInt
from ...ir.graphs import reachable
from ...ir.instructions import COMPARISONS, INTEGER_SUMS, RIGHT_SHIFTS, SHIFTS
from ...ir.types import IntType
from ...ir.value_edges import COPIED, FROM_ELSEWHERE, IN_PLACE, RESIZED
from ...ir.values import Instruction, Value
from ..values.flow import stripped


class WholeNumbers:
    """The masks among integers that are computed from the bits of numbers.

    `roots` are the casts that take these bits, with the number of bits that each fraction has.
    """

    def __init__(self, roots: dict[Instruction, int]) -> None:
        self.roots = roots

    def rounds(self, i: Instruction) -> bool:
        """True if the instruction clears the bits below 1 of a number, by a mask that its exponent shifts."""
        pairs = (i.operands, i.operands[::-1]) if i.opcode == "and" else ()
        return any(_constant(m) is None and all(self._is_mask(c, v) for c in _chosen(m)) for v, m in pairs)

    def numbers(self, value: Value) -> set[Value]:
        """Returns the numbers that a value has bits of, or whose bits decide how far it is shifted."""
        found = reachable([value], lambda v: v.operands if isinstance(v, Instruction) and v not in self.roots else ())
        return {v.operands[0] for v in found if isinstance(v, Instruction) and v in self.roots}

    def _is_mask(self, mask: Value, masked: Value) -> bool:
        mask = stripped(mask, RESIZED)
        place = self._place(masked)
        if place is None or len(self.numbers(masked) | self.numbers(mask)) != 1:
            return False
        root = next(v for v in _within(masked) if v in self.roots)
        fraction, constant = self.roots[root], _constant(mask)
        if constant is not None:  # an alternative, which clears the whole fraction
            return place >= 0 and constant & ((1 << fraction) - 1) >> place == 0
        cleared = _cleared(mask)
        exponent = _sum(cleared[1]) if cleared is not None else None
        if cleared is None or exponent is None:
            return False
        (lowest, _, direction), (sign, field, more) = cleared, exponent
        bias = (1 << (_width(root) - fraction - 2)) - 1
        is_shifted = sign == direction and self._is_exponent(field)
        return is_shifted and lowest - direction * more + place - fraction - bias >= 0

    def _is_exponent(self, value: Value) -> bool:
        """True if the value is the field of the exponent of a number, with or without the sign."""
        value = stripped(value, RESIZED)
        if isinstance(value, Instruction) and value.opcode == "and" and (mask := _constant(value.operands[1])):
            if mask & (mask + 1):
                return False
            value = value.operands[0]
        fractions = {self.roots[r] for r in _within(value) if r in self.roots}
        return len(fractions) == 1 and self._place(value) == fractions.pop()

    def _place(self, value: Value) -> int | None:
        """Returns which bit of a number is bit 0 of the value; None if that is not known."""
        places: set[int] = set()
        seen: set[tuple[Value, int]] = set()
        work = [(value, 0)]
        while work:
            v, moved = work.pop()
            if not isinstance(v, Instruction) or (v, moved) in seen:
                continue
            if v in self.roots:
                places.add(moved)
            elif len(seen) > _MOST:
                return None
            elif v.opcode in IN_PLACE:
                work += [(o, moved) for o in v.operands]
            elif v.opcode in SHIFTS and (by := _constant(v.operands[1])) is not None:
                work.append((v.operands[0], moved + (-by if v.opcode == "shl" else by)))
            elif not _has_no_bits(v) and not _is_power(v) and self.numbers(v):
                return None
            seen.add((v, moved))
        return places.pop() if len(places) == 1 else None


def _chosen(mask: Value) -> list[Value]:
    """Returns the masks that selects and branches choose from."""

    def among(value: Value) -> Sequence[Value]:
        value = stripped(value, RESIZED)
        return COPIED.operands(value)

    return [value for value in reachable([mask], among) if not among(value)]


def _has_no_bits(i: Instruction) -> bool:
    return i.opcode in COMPARISONS or i.opcode in FROM_ELSEWHERE


def _is_power(i: Instruction) -> bool:
    """True for a shifted constant, for example 1 << n, as it is added where a number is rounded up."""
    return i.opcode in SHIFTS and _constant(i.operands[0]) is not None


#: a value that is made of more integers is not looked at
_MOST = 200


def _within(value: Value) -> Iterable[Instruction]:
    found = reachable([value], lambda v: v.operands if isinstance(v, Instruction) else ())
    return (v for v in found if isinstance(v, Instruction))


def _cleared(mask: Value) -> tuple[int, Value, int] | None:
    """Reads a mask that clears low bits: (n, amount, direction). It keeps the bits from n - direction * amount on."""
    mask = stripped(mask, RESIZED)
    if not isinstance(mask, Instruction):
        return None
    if mask.opcode == "xor" and _constant(mask.operands[1]) == _all(mask):
        low = stripped(mask.operands[0], RESIZED)
        ones = _constant(low.operands[0]) if isinstance(low, Instruction) and low.opcode in RIGHT_SHIFTS else None
        if ones and not ones & (ones + 1) and isinstance(low, Instruction):
            return ones.bit_length(), low.operands[1], 1
        return None
    shifted = _constant(mask.operands[0]) if mask.opcode in SHIFTS and mask.opcode != "lshr" else None
    if not shifted:
        return None
    zeros = ~shifted & _all(mask)
    if zeros & (zeros + 1):
        return None
    return (zeros.bit_length(), mask.operands[1], 1 if mask.opcode == "ashr" else -1)


def _sum(value: Value) -> tuple[int, Value, int] | None:
    """Splits an integer into (sign, value, constant), whose meaning is sign * value + constant."""
    sign, constant = 1, 0
    for _ in range(_MOST):
        value = stripped(value, RESIZED)
        if not isinstance(value, Instruction) or value.opcode not in INTEGER_SUMS:
            return sign, value, constant
        first, second = map(_signed, value.operands)
        if second is not None:
            constant += sign * (second if value.opcode == "add" else -second)
            value = value.operands[0]
        elif first is not None and value.opcode == "sub":
            constant, sign, value = constant + sign * first, -sign, value.operands[1]
        else:
            return sign, value, constant
    return None


def _width(value: Value) -> int:
    return value.type.bits if isinstance(value.type, IntType) else 0


def _all(value: Value) -> int:
    return (1 << _width(value)) - 1


def _constant(value: Value) -> int | None:
    return value.value & _all(value) if isinstance(value, ConstantInt) else None


def _signed(value: Value) -> int | None:
    if not isinstance(value, ConstantInt):
        return None
    bits = value.value & _all(value)
    return bits - (1 << _width(value)) if bits >> (_width(value) - 1) else bits
