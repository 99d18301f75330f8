"""Polynomials of values, with integers as factors."""

from __future__ import annotations

from collections.abc import Mapping

from ...ir.values import Value

#: products of values, in the order in which they were met, and their factors
Monomial = tuple[Value, ...]
Polynomial = Mapping[Monomial, int]


def added(*polynomials: Polynomial) -> Polynomial:
    total: dict[Monomial, int] = {}
    for polynomial in polynomials:
        for monomial, factor in polynomial.items():
            total[monomial] = total.get(monomial, 0) + factor
    return {m: f for m, f in total.items() if f}


def scaled(polynomial: Polynomial, by: int) -> Polynomial:
    return {m: f * by for m, f in polynomial.items()}


def derivative(polynomial: Polynomial, variable: Value) -> Polynomial:
    """Returns what a polynomial is divided by a variable, in the terms that have it."""
    found: dict[Monomial, int] = {}
    for monomial, factor in polynomial.items():
        if variable in monomial:
            at = monomial.index(variable)
            found[monomial[:at] + monomial[at + 1 :]] = factor
    return found


class Products:
    """Multiplies polynomials. Equal products have equal monomials."""

    def __init__(self) -> None:
        self._order: dict[Value, int] = {}

    def of(self, a: Polynomial, b: Polynomial) -> Polynomial:
        product: dict[Monomial, int] = {}
        for m, x in a.items():
            for n, y in b.items():
                both = tuple(sorted((*m, *n), key=self._place))
                product[both] = product.get(both, 0) + x * y
        return product

    def _place(self, value: Value) -> int:
        return self._order.setdefault(value, len(self._order))
