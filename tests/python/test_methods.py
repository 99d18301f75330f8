"""The methods of a differentiable function."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from scipy.optimize import least_squares, minimize

import enzyme_cc

from .conftest import SOURCES

R = np.random.default_rng(1)
X, MASS = R.random((4, 3)), R.random(4)


@pytest.fixture(scope="module")
def energy(build: Callable[..., Any]) -> Any:
    return build("shapes.c", "energy", "x[n,3], n, const mass[n] -> return")


def gradient_of_energy(x: Any, mass: Any) -> Any:
    d = x[:, None] - x[None]
    r2 = (d * d).sum(2) + 1e-3
    weights = mass[:, None] * mass[None] / r2**1.5
    np.fill_diagonal(weights, 0)
    return (weights[:, :, None] * d).sum(1)


def test_gradient(energy: Any) -> None:
    value, gradient = energy.value_and_grad(X, MASS)
    assert value == energy(X, MASS)
    np.testing.assert_allclose(gradient, gradient_of_energy(X, MASS), rtol=1e-12)
    np.testing.assert_array_equal(energy.grad(X, mass=MASS), gradient)
    np.testing.assert_allclose(energy.vjp(X, MASS)(2.0), 2 * gradient)
    np.testing.assert_allclose(energy.vjp(X, mass=MASS)(2.0), 2 * gradient)


def test_tangents(energy: Any) -> None:
    v = R.random((4, 3))
    value, slope = energy.jvp((X, MASS), (v, None))
    assert value == energy(X, MASS)
    assert slope == pytest.approx((v * gradient_of_energy(X, MASS)).sum())
    assert energy.jvp((X, MASS), v) == (value, slope)


def test_second_order(energy: Any) -> None:
    v, h = R.random((4, 3)), 1e-5
    product = energy.hvp(X, MASS, v)
    differences = (gradient_of_energy(X + h * v, MASS) - gradient_of_energy(X - h * v, MASS)) / (2 * h)
    np.testing.assert_allclose(product, differences, rtol=1e-7, atol=1e-7)
    hessian = energy.hessian(X, MASS)
    assert hessian.shape == (4, 3, 4, 3)
    np.testing.assert_allclose(np.tensordot(hessian, v, 2), product, rtol=1e-12)


def test_jacobian_by_forward_mode_and_by_reverse_mode(build: Callable[..., Any]) -> None:
    f = build("shapes.c", "combine", "a, x[n], y[n], n, out out[n]")
    x, y = R.random(5), R.random(5)
    da, dx, dy = f.jacobian(0.5, x, y)
    np.testing.assert_allclose(da, x)
    np.testing.assert_allclose(dx, 0.5 * np.eye(5))
    np.testing.assert_allclose(dy, 2 * np.diag(y))
    g = build("shapes.c", "chain", "x[n], n, out y[n]")
    np.testing.assert_allclose(g.jacobian(x), np.diag(np.cos(x) + np.r_[0, x[:-1]]) + np.diag(x[1:], -1))


def test_jacobian_is_column_major_for_fortran(build: Callable[..., Any]) -> None:
    f = build("shapes.f90", "step", "u[n,m], n, m, c, out r[n,m]")
    u = R.random((2, 3))
    du, dc = f.jacobian(u, 0.5)
    expected = np.zeros((2, 3, 2, 3))
    for i, j in np.ndindex(2, 3):
        expected[i, j, i, j] = 2 * u[i, j] * (i + 1)
    np.testing.assert_allclose(du, expected)
    np.testing.assert_allclose(dc, np.tile([1, 2, 3], (2, 1)))


def test_sparse_jacobian_needs_few_directions(build: Callable[..., Any]) -> None:
    f = build("shapes.c", "chain", "x[n], n, out y[n]")
    x = R.random(40)
    pattern = scipy.sparse.diags([np.ones(40), np.ones(39)], [0, -1])
    sparse = f.jacobian(x, sparsity=pattern)
    assert sparse.format == "csr" and sparse.nnz == 79
    np.testing.assert_allclose(sparse.toarray(), f.jacobian(x))
    with pytest.raises(ValueError, match=r"sparsity: wanted shape \(40, 40\); got \(3, 3\)"):
        f.jacobian(x, sparsity=np.eye(3))


def test_scipy_minimises(build: Callable[..., Any]) -> None:
    f = build("shapes.c", "rosenbrock", "x[n], n -> return")
    found = minimize(f.value_and_grad, np.zeros(6), jac=True, hessp=f.hvp, method="Newton-CG")
    np.testing.assert_allclose(found.x, 1, rtol=1e-4)
    g = build("shapes.c", "chain", "x[n], n, out y[n]")
    np.testing.assert_allclose(least_squares(g, np.full(3, 0.2), jac=g.jacobian).x, 0, atol=1e-6)


def test_scalar_methods_need_a_scalar(build: Callable[..., Any]) -> None:
    f = build("shapes.c", "chain", "x[n], n, out y[n]")
    with pytest.raises(TypeError, match=r"grad needs one real output of one element; chain has: float64 y\[n\]"):
        _ = f.grad


def test_a_function_is_pickled_by_its_request(build: Callable[..., Any]) -> None:
    """So other processes call it: multiprocessing, joblib."""
    f = build("shapes.c", "rosenbrock", "x[n], n -> return")
    again = pickle.loads(pickle.dumps(f))
    np.testing.assert_array_equal(again.grad(X[0]), f.grad(X[0]))
    isolated = enzyme_cc.function(SOURCES / "shapes.c", "rosenbrock", "x[n], n -> return", isolated=True)
    np.testing.assert_array_equal(copy.deepcopy(isolated).grad(X[0]), f.grad(X[0]))


def test_a_check_that_fails_is_false(build: Callable[..., Any]) -> None:
    from enzyme_cc.functions.calls.checking import CheckReport, Comparison

    assert not CheckReport("f", (Comparison(1.0, 1.0, 1.1, 1e-6),))
    assert not CheckReport("f", (Comparison(1.0, float("nan"), 1.0, 1e-6),))


def test_eight_threads_give_the_serial_results(energy: Any) -> None:
    inputs = [R.random((6, 3)) for _ in range(8)]
    mass = R.random(6)
    serial = [energy.grad(x, mass).tobytes() for x in inputs]
    wrong: list[int] = []

    def work(i: int) -> None:
        for _ in range(1000):
            if energy.grad(inputs[i], mass).tobytes() != serial[i]:
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_arrays_of_any_shape_without_a_signature(build: Callable[..., Any]) -> None:
    f = build("shapes.c", "squares")
    x = R.random((2, 3)).astype("f4")
    np.testing.assert_allclose(f(x), x * x)
    np.testing.assert_allclose(f.vjp(x)(np.ones_like(x)), 2 * x)
    value, slope = f.jvp(x, x)
    assert value.shape == slope.shape == (2, 3)
    np.testing.assert_allclose(f.jacobian(x), np.diag(2 * x.ravel()).reshape(2, 3, 2, 3))
