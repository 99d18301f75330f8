"""Emits, at the entry, between which bounds polynomials of a region are (analysis/storage/linear_places.py)."""

from __future__ import annotations

from collections.abc import Iterable

from ....analysis.storage.linear_places import Counter, Fits, LinearAddress, LinearPlaces
from ....analysis.storage.place_digits import Below, DigitSum, Quotient, QuotientOf, Range, WholeNumber
from ....analysis.storage.polynomials import Polynomial
from ....ir.builder import Builder
from ....ir.constants import ConstantInt
from ....ir.folding import int_constant
from ....ir.types import I1, I64, is_pointer
from ....ir.values import Value
from ..sweep import Sweep

#: the least and the greatest value (i64) of a number
Interval = tuple[Value, Value]
_TRUE = int_constant(1, I1)


def least(b: Builder, *values: Value) -> Value:
    """Emits the minimum of numbers with a sign."""
    return _limit(b, "smin", values)


def greatest(b: Builder, *values: Value) -> Value:
    """Emits the maximum of numbers with a sign."""
    return _limit(b, "smax", values)


def _limit(b: Builder, name: str, values: Iterable[Value]) -> Value:
    first, *others = dict.fromkeys(values)
    for other in others:
        first = b.call(f"@llvm.{name}.i64", I64, (first, other))
    return first


def all_of(b: Builder, conditions: Iterable[Value]) -> Value:
    """Emits whether all conditions hold."""
    result: Value = _TRUE
    for condition in conditions:
        result = condition if result is _TRUE else b.int_op("and", result, condition)
    return result


class ExtentsOfPlaces:
    """Bounds of polynomials in one derivative. `whole`: over all parts of divided loops, not only over the thread's."""

    def __init__(self, sweep: Sweep, places: LinearPlaces) -> None:
        self._sweep = sweep
        self._places = places
        self._found: dict[tuple[Value, bool], Interval] = {}

    def interval(self, polynomial: Polynomial, *, whole: bool) -> Interval:
        """Returns the bounds of a polynomial."""
        found = self._places.digits.split(polynomial)
        return self.of_sum(found, whole=whole) if found.strides else self._of_monomials(polynomial, whole)

    def of_sum(self, sum_: DigitSum, *, whole: bool) -> Interval:
        """Returns the bounds of a sum of digits."""
        b, (low, high) = self._sweep.b, self._of_monomials(sum_.rest, whole)
        for digit, stride in sum_.strides.items():
            ends = self._product(self._of_monomials(stride, whole), self.of_digit(digit.range, whole=whole))
            low, high = b.add(low, ends[0]), b.add(high, ends[1])
        return low, high

    def of_digit(self, range_: Range, *, whole: bool) -> Interval:
        """Returns the bounds of a digit."""
        b = self._sweep.b
        match range_:
            case WholeNumber(number):
                return self._of_monomials(number, whole)
            case QuotientOf(of, divisor):
                low, high = self.of_digit(of, whole=whole)
                by = greatest(b, self._integer(divisor), int_constant(1))
                return b.int_op("sdiv", low, by), b.int_op("sdiv", high, by)
            case Below(divisor):
                return int_constant(0), b.sub(self._integer(divisor), int_constant(1))

    def _of_monomials(self, polynomial: Polynomial, whole: bool) -> Interval:
        b = self._sweep.b
        low: Value = int_constant(0)
        high: Value = int_constant(0)
        for monomial, factor in polynomial.items():
            bounds: Interval = (int_constant(1), int_constant(1))
            for symbol in monomial:
                bounds = self._product(bounds, self._symbol(symbol, whole))
            ends = [b.mul(bound, int_constant(factor)) for bound in dict.fromkeys(bounds)]
            low, high = b.add(low, ends[0 if factor > 0 else -1]), b.add(high, ends[-1 if factor > 0 else 0])
            if len(ends) == 1 and len(polynomial) == 1:
                high = low
        return (low, low) if self._is_point(polynomial) else (low, high)

    def value(self, polynomial: Polynomial) -> Value:
        """Returns a polynomial of values that are known at the entry."""
        return self.interval(polynomial, whole=False)[0]

    def _is_point(self, polynomial: Polynomial) -> bool:
        return not any(symbol in self._places.variables for monomial in polynomial for symbol in monomial)

    def of_address(self, address: LinearAddress, size: Polynomial, *, whole: bool) -> Interval:
        """Returns the bounds of the bytes behind the base that an access of so many bytes reaches."""
        low, high = self.interval(address.offset, whole=whole)
        return low, self._sweep.b.add(high, self.interval(size, whole=whole)[1])

    def union(self, intervals: Iterable[Interval]) -> Interval:
        """Returns the bounds of several intervals together."""
        found = list(intervals)
        return least(self._sweep.b, *(low for low, _ in found)), greatest(self._sweep.b, *(high for _, high in found))

    def fit(self, addresses: Iterable[LinearAddress], *, whole: bool) -> Value:
        """Returns whether the addresses are valid: no number has wrapped around."""
        needed = sorted({k for address in addresses for k in address.fits})
        return all_of(self._sweep.b, (self._fits(self._places.conditions[k], whole) for k in needed))

    def _fits(self, condition: Fits, whole: bool) -> Value:
        b, (low, high) = self._sweep.b, self.interval(condition.value, whole=whole)
        bits = condition.bits - condition.is_signed
        least_value = int_constant(-(1 << bits) if condition.is_signed else 0)
        above = b.icmp("sge", low, least_value)
        return above if bits >= 63 else b.int_op("and", above, b.icmp("sle", high, int_constant((1 << bits) - 1)))

    def _product(self, a: Interval, other: Interval) -> Interval:
        b = self._sweep.b
        ends = list(dict.fromkeys(b.mul(x, y) for x in dict.fromkeys(a) for y in dict.fromkeys(other)))
        return least(b, *ends), greatest(b, *ends)

    def _symbol(self, symbol: Value, whole: bool) -> Interval:
        if (symbol, whole) not in self._found:
            self._found[symbol, whole] = self._bounds(symbol, whole)
        return self._found[symbol, whole]

    def _bounds(self, symbol: Value, whole: bool) -> Interval:
        b, places = self._sweep.b, self._places
        variable = places.whole.get(symbol) if whole else None
        match variable or places.variables.get(symbol):
            case Counter(start, step, bound, less):
                first, last = self.interval(start, whole=whole), self.interval(bound, whole=whole)
                if step > 0:
                    return first[0], b.sub(last[1], int_constant(less))
                return b.add(last[0], int_constant(less)), first[1]
            case Quotient(number, divisor):
                by = greatest(b, self._integer(divisor), int_constant(1))
                return int_constant(0), b.int_op("sdiv", self.interval(number, whole=whole)[1], by)
        value = self._integer(places.parts.get(symbol, symbol))
        return value, value

    def _integer(self, value: Value) -> Value:
        b, sweep = self._sweep.b, self._sweep
        if isinstance(value, ConstantInt):
            return int_constant(value.value)
        found = sweep.of(value)
        return b.cast("ptrtoint", found, I64) if is_pointer(value.type) else b.resize_int(found, I64, signed=True)
