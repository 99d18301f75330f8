"""debug=True: outputs that are too small, inputs that are written to, derivatives that are wrong or not finite."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import enzyme_cc

from .conftest import SOURCES

X = np.array([1.0, 2, 3])


def debugged(name: str, signature: str) -> Any:
    return enzyme_cc.function(SOURCES / "mistakes.c", name, signature, debug=True)


def test_output_that_is_too_small_is_an_error() -> None:
    with pytest.raises(enzyme_cc.SignatureError, match=r"behind the end of float64 y\[n\], which has 3 elements"):
        debugged("fills", "x[n], n, out y[n]")(X)
    right = debugged("fills", "x[n], n, out y[2*n]")
    np.testing.assert_array_equal(right(X), X.repeat(2))
    np.testing.assert_array_equal(right.vjp(x=X)(np.ones(6)), [2, 2, 2])
    assert right.jacobian(X).shape == (6, 3)


def test_input_that_is_written_to_is_an_error() -> None:
    f = debugged("clears", "x[n], n -> return")
    with pytest.raises(enzyme_cc.SignatureError, match="needs inout x"):
        f.grad(X.copy())


def test_derivative_that_is_not_finite_or_differs_is_told() -> None:
    f = debugged("inverse", "x[n], n -> return")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(f)).grad(X), 2 * X)
    with pytest.raises(FloatingPointError, match=r"the element \(1,\) is"):
        f.vjp(np.array([1.0, 0, 2]))(1.0)
    with pytest.warns(RuntimeWarning, match="differs from differences"):
        debugged("sum_of_squares", "x[n], n -> return").grad(X)


def test_debug_needs_a_signature() -> None:
    with pytest.raises(ValueError, match="needs a signature"):
        enzyme_cc.function(SOURCES / "mistakes.c", "inverse", debug=True)
