"""The rounding error of an operation, in units of half the distance of two numbers."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.variants.rounding_errors import rounds_integers, units_of
from enzyme_cc.ir.types import DOUBLE, FLOAT, I32, I64
from enzyme_cc.rules.table import lookup


@pytest.mark.parametrize(
    "name, units",
    [("sqrt", 1), ("fma", 1), ("sin", 2), ("pow", 2), ("fabs", 0), ("fmod", 0), ("llvm.sqrt.f64", 1), ("__muldc3", 2)],
)
def test_functions_have_one_or_two_units_and_exact_ones_none(name: str, units: int) -> None:
    rule = lookup(name)
    assert rule is not None
    assert units_of(rule) == units


@pytest.mark.parametrize("name", ["cexp", "llvm.vector.reduce.fadd.v4f64"])
def test_results_whose_parts_may_cancel_have_no_bound(name: str) -> None:
    rule = lookup(name)
    assert rule is not None
    assert units_of(rule) is None


def test_integers_that_are_wider_than_the_mantissa_are_rounded() -> None:
    assert rounds_integers(I64, DOUBLE)
    assert rounds_integers(I32, FLOAT)
    assert not rounds_integers(I32, DOUBLE)
