"""Finds a number that divides an integer whatever the program computes.

Arithmetic wraps around. A product by 24 that may wrap is a multiple of 8 only: wrapping adds a power of two, which
keeps common powers of two and nothing else. Flags say that an operation does not wrap, as a signed number (nsw) or as
an unsigned one (nuw); which of them counts depends on how the result is read.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

from ...ir.constants import ConstantInt
from ...ir.instructions import INTEGER_SUMS
from ...ir.types import IntType
from ...ir.value_edges import PASSED
from ...ir.values import Instruction, Value

_DEPTH = 6
#: a phi with more alternatives may be anything
_MANY = 8
#: what the caller knows of an instruction: its divisor, or None
KnownDivisor = Callable[[Instruction], int | None]


def _nothing(_: Instruction) -> int | None:
    return None


class Divisors:
    """`wraps(i)`: True if arithmetic without a flag may wrap around; `known`: what the caller knows of instructions."""

    def __init__(self, wraps: Callable[[Instruction], bool], known: KnownDivisor = _nothing) -> None:
        self._wraps = wraps
        self._known = known

    def of(self, value: Value, signed: bool = True, depth: int = 0) -> int:
        """Returns a number that divides the integer, read as signed or unsigned; 0 if the integer is always 0."""
        if isinstance(value, ConstantInt):
            return abs(value.value) if signed or value.value >= 0 else _power_of_two(value.value)
        if not isinstance(value, Instruction) or depth > _DEPTH:
            return 1
        known = self._known(value)
        if known is not None:
            return known
        rule = _RULES.get(value.opcode)
        return 1 if rule is None else rule(self, value, signed, depth + 1)

    def exact(self, i: Instruction, signed: bool) -> bool:
        """True if the operation is known not to wrap around, read as signed or unsigned."""
        return ("nsw" if signed else "nuw") in i.flags or not self._wraps(i)

    def wrapped(self, i: Instruction, signed: bool, found: int) -> int:
        """Returns the divisor of the result, given the one that holds if the operation does not wrap around."""
        return found if self.exact(i, signed) else _power_of_two(found)


def _power_of_two(number: int) -> int:
    return number & -number


def _same_value(d: Divisors, i: Instruction, signed: bool, depth: int) -> int:
    return d.of(i.operands[0], signed, depth)


def _zext(d: Divisors, i: Instruction, signed: bool, depth: int) -> int:
    return d.of(i.operands[0], False, depth)


def _sext(d: Divisors, i: Instruction, signed: bool, depth: int) -> int:
    found = d.of(i.operands[0], True, depth)
    return found if signed else _power_of_two(found)


def _trunc(d: Divisors, i: Instruction, signed: bool, depth: int) -> int:
    return d.wrapped(i, signed, d.of(i.operands[0], signed, depth))


def _mul(d: Divisors, i: Instruction, signed: bool, depth: int) -> int:
    a, b = (d.of(o, signed, depth) for o in i.operands)
    return d.wrapped(i, signed, a * b)


def _shl(d: Divisors, i: Instruction, signed: bool, depth: int) -> int:
    by = i.operands[1]
    if not isinstance(by, ConstantInt) or not isinstance(i.type, IntType) or not 0 <= by.value < i.type.bits:
        return 1
    return d.wrapped(i, signed, d.of(i.operands[0], signed, depth) << by.value)


def _sum(d: Divisors, i: Instruction, signed: bool, depth: int) -> int:
    return d.wrapped(i, signed, gcd(*(d.of(o, signed, depth) for o in i.operands)))


def _or(d: Divisors, i: Instruction, signed: bool, depth: int) -> int:
    found = gcd(*(d.of(o, signed, depth) for o in i.operands))
    return found if "disjoint" in i.flags else _power_of_two(found)


def _and(d: Divisors, i: Instruction, signed: bool, depth: int) -> int:
    return max((_power_of_two(o.value) for o in i.operands if isinstance(o, ConstantInt)), default=1) or 1


def _choice(d: Divisors, i: Instruction, signed: bool, depth: int) -> int:
    """Divides all alternatives. One that adds a step to the phi itself is divided by what divides start and step."""
    if len(PASSED.operands(i)) > _MANY:
        return 1
    common, exact = 0, True
    for operand in PASSED.operands(i):
        if isinstance(operand, Instruction) and operand.opcode in INTEGER_SUMS and i in operand.operands:
            step = operand.operands[1 if operand.operands[0] is i else 0]
            common = gcd(common, d.of(step, signed, depth))
            exact = exact and operand.operands[0] is i and d.exact(operand, signed)
        elif operand is not i:
            common = gcd(common, d.of(operand, signed, depth))
    return common if exact else _power_of_two(common)


_RULES: dict[str, Callable[[Divisors, Instruction, bool, int], int]] = {
    "freeze": _same_value,
    "zext": _zext,
    "sext": _sext,
    "trunc": _trunc,
    "mul": _mul,
    "shl": _shl,
    "add": _sum,
    "sub": _sum,
    "or": _or,
    "and": _and,
    "phi": _choice,
    "select": _choice,
}
