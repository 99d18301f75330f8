"""Sums, multiples, products and derivatives of polynomials of values."""

from __future__ import annotations

from enzyme_cc.analysis.storage.polynomials import Polynomial, Products, added, derivative, scaled
from enzyme_cc.ir.types import I64
from enzyme_cc.ir.values import Argument

X, Y = Argument(I64, "x"), Argument(I64, "y")


def test_terms_that_cancel_are_left_out() -> None:
    assert added({(X,): 2, (): 1}, scaled({(X,): 1, (Y,): 3}, -2)) == {(): 1, (Y,): -6}


def test_equal_products_have_equal_monomials() -> None:
    products = Products()
    both: list[Polynomial] = [products.of({(X,): 2, (): 1}, {(Y,): 3}), products.of({(Y,): 3}, {(X,): 2, (): 1})]
    assert both[0] == both[1] and sorted(both[0].values()) == [3, 6]


def test_derivative() -> None:
    products = Products()
    assert derivative(products.of({(X,): 1, (): 5}, {(Y,): 1}), X) == {(Y,): 1}
