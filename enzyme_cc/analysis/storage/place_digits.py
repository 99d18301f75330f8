"""Variables of loops as digits: a loop that runs over several indices (`collapse`) takes these from one number.

A number is its quotient by a divisor, times the divisor, and a rest that is less than the divisor. If several quotients
are taken of one number, of its rest or of its quotient, the number has as many digits as mixed radices give. Digits
have nothing to do with one another: an address is the sum of digits, each times a stride. So it is known what the
address reaches, and whether two iterations reach the same place.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import NamedTuple

from msgspec import Struct

from ...ir.constants import ConstantInt
from ...ir.values import Value
from .polynomials import Polynomial, Products, added, scaled


class Quotient(NamedTuple):
    """A variable that is another number, not negative, divided by a positive one that is known at the entry."""

    number: Polynomial
    divisor: Value


class WholeNumber(Struct, frozen=True):
    """The values of a number that is not divided."""

    number: Polynomial


class QuotientOf(Struct, frozen=True):
    """The values of another range, divided."""

    of: Range
    divisor: Value


class Below(Struct, frozen=True):
    """The values from zero to a divisor, without it."""

    divisor: Value


Range = WholeNumber | QuotientOf | Below


class Digit(Struct, frozen=True, eq=False):
    """A part of a number that does not depend on the other parts."""

    range: Range


class DigitSum(Struct, frozen=True):
    """A polynomial: the sum of digits, each times a stride, and the rest."""

    strides: Mapping[Digit, Polynomial]
    rest: Polynomial


class Digits:
    """The digits of all numbers that quotients are taken of."""

    def __init__(self, quotients: Mapping[Value, Quotient], variables: Container[Value], products: Products) -> None:
        """`variables`: all that is not known at the entry."""
        self._left = dict(quotients)
        self._quotients = frozenset(quotients)
        self._variables = variables
        self._products = products
        self.sums: dict[Value, DigitSum] = {}
        self.roots: dict[Digit, Polynomial] = {}  # the numbers that the digits are of
        self._numbers: dict[Value, int] = {}  # which of these numbers a symbol belongs to
        self._used: set[Value] = set()
        for quotient in list(quotients.values()):
            if not any(symbol in quotients for monomial in quotient.number for symbol in monomial):
                self._split_number(quotient.number)

    def _split_number(self, number: Polynomial) -> None:
        """Finds the digits of a number. A variable is in one number at most: else digits would depend on each other."""
        variables = {symbol for monomial in number for symbol in monomial if symbol in self._variables}
        if not variables.isdisjoint(self._used):
            return
        self._used |= variables
        known = set(self.sums)
        strides = self._split(number, WholeNumber(number))
        self.roots.update(dict.fromkeys(strides, number))
        only = next(iter(variables), None)
        if only is not None and len(variables) == 1 and number.get((only,)) == 1 and _degree(number, only) == 1:
            rest = {m: f for m, f in number.items() if m != (only,)}
            self.sums[only] = DigitSum(strides, scaled(rest, -1))
        self._numbers.update(dict.fromkeys(self.sums.keys() - known, len(self._numbers)))

    def _split(self, number: Polynomial, range_: Range) -> dict[Digit, Polynomial]:
        found = next((symbol for symbol, q in self._left.items() if q.number == number), None)
        if found is None:
            return {Digit(range_): {(): 1}}
        divisor = self._left.pop(found).divisor
        whole: Polynomial = {(): divisor.value} if isinstance(divisor, ConstantInt) else {(divisor,): 1}
        of_quotient = self._split({(found,): 1}, QuotientOf(range_, divisor))
        self.sums[found] = DigitSum(of_quotient, {})
        rest = added(number, scaled(self._products.of({(found,): 1}, whole), -1))
        of_rest = self._split(rest, Below(divisor))
        return {digit: self._products.of(stride, whole) for digit, stride in of_quotient.items()} | of_rest

    def split(self, polynomial: Polynomial) -> DigitSum:
        """Returns a polynomial with digits in place of the variables that have them, except in products of these.

        A variable is left as it is if there is no quotient of its number. It may be negative then: that it is not is a
        condition of each place with such a quotient.
        """
        symbols = {symbol for monomial in polynomial for symbol in monomial if symbol in self.sums}
        divided = {self._numbers[symbol] for symbol in symbols & self._quotients}
        split = {symbol for symbol in symbols if self._numbers[symbol] in divided}
        strides: dict[Digit, Polynomial] = {}
        rest: Polynomial = {}
        for monomial, factor in polynomial.items():
            found = [symbol for symbol in monomial if symbol in split]
            if len(found) != 1:
                rest = added(rest, {monomial: factor})
                continue
            others: Polynomial = {tuple(s for s in monomial if s is not found[0]): factor}
            sum_ = self.sums[found[0]]
            rest = added(rest, self._products.of(others, sum_.rest))
            for digit, stride in sum_.strides.items():
                strides[digit] = added(strides.get(digit, {}), self._products.of(others, stride))
        return DigitSum(strides, rest)


def _degree(polynomial: Polynomial, symbol: Value) -> int:
    """Returns in how many monomials a symbol is, each as often as it is there."""
    return sum(monomial.count(symbol) for monomial in polynomial)
