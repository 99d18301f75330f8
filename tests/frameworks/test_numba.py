"""Derivatives of jitted functions against central differences, what is refused, and calls from jitted functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import enzyme_cc
import enzyme_cc.numba as differentiated
from enzyme_cc.functions.errors import CompileError, SignatureError

from .compiled import CASES, CompiledCase

pytestmark = pytest.mark.usefixtures("folder")


def difference(f: Callable[..., float], arguments: list[Any], i: int, direction: Any) -> float:
    """Returns the central difference of f by argument i in a direction, extrapolated once."""

    def at(step: float) -> float:
        moved = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
        moved[i] = moved[i] + step * direction
        return float(f(*moved))

    def quotient(h: float) -> float:
        return (at(h) - at(-h)) / (2 * h)

    return (4 * quotient(5e-4) - quotient(1e-3)) / 3


@numba.njit
def square_and_sine(v: float) -> float:
    return v * v + math.sin(v)


def of_a_loop(x: Any) -> Any:
    s = 0.0
    for i in range(x.shape[0]):
        s += square_and_sine(x[i]) * x[i - 1]
    return s


def of_arrays_made_inside(x: Any, a: float) -> Any:
    y = np.zeros_like(x)
    for i in range(x.shape[0]):
        y[i] = np.exp(x[i]) * x[0]
    return (y * a + x).sum()


def of_math(x: float, y: float) -> Any:
    smooth = math.gamma(x) * math.erf(y) + math.lgamma(x + y) + x**3.5 + math.hypot(x, y)
    return smooth + math.ldexp(y, 2) + x // 2 + y % 0.3


def of_products(m: Any, x: Any) -> Any:
    return np.dot(m @ x, x) + np.linalg.norm(x) * (m @ m.T).sum()


def of_a_solution(m: Any, x: Any) -> Any:
    return np.linalg.solve(m, x).sum() * np.linalg.det(m)


def of_a_list(x: Any) -> Any:
    found = []
    for v in x:
        found.append(v * v)
    s = 0.0
    for i, v in enumerate(found):
        s += v * i
    return s


def of_reductions(x: Any) -> Any:
    return np.sort(x)[0] * x.mean() + x.std() + np.cumsum(x)[2] * np.max(x)


def of_a_shape(x: Any) -> Any:
    y = x.reshape(2, 2)
    return (y.T * y).sum() + (x[1:] - x[:-1]).prod()


def of_a_loop_in_place(x: Any) -> Any:
    for i in range(1, x.shape[0]):
        x[i] *= x[i - 1]
    return x[-1]


def of_a_while(x: float, n: int) -> Any:
    k = 0
    while x < 100.0 and k < n:
        x = x * x + 0.5
        k += 1
    return x


rng = np.random.default_rng(7)
VECTOR, MATRIX = rng.uniform(0.5, 1.5, 4), rng.uniform(0.5, 1.5, (4, 4)) + 2 * np.eye(4)
SCALARS: list[tuple[Callable[..., Any], list[Any]]] = [
    (of_a_loop, [VECTOR]),
    (of_arrays_made_inside, [VECTOR, 1.3]),
    (of_math, [1.7, 0.4]),
    (of_products, [MATRIX, VECTOR]),
    (of_products, [np.asfortranarray(MATRIX), VECTOR]),
    (of_a_list, [VECTOR]),
    (of_reductions, [VECTOR]),
    (of_a_shape, [VECTOR]),
    (of_a_loop_in_place, [VECTOR]),
    (of_a_loop_in_place, [np.repeat(VECTOR, 2)[::2]]),
    (of_a_while, [1.1, 3]),
]


#: links LU and determinants of Numba's library for half a minute
SLOW = [(of_a_solution, [MATRIX, VECTOR])]


@pytest.mark.parametrize(
    ("f", "arguments"),
    [pytest.param(f, a, id=f.__name__) for f, a in SCALARS]
    + [pytest.param(f, a, id=f.__name__, marks=pytest.mark.slow) for f, a in SLOW],
)
def test_gradient_and_tangent(f: Callable[..., Any], arguments: list[Any]) -> None:
    jitted = numba.njit(f)
    before = [np.copy(a) for a in arguments]
    value, gradient = differentiated.value_and_grad(jitted)(*arguments)
    assert all(np.array_equal(a, b) for a, b in zip(arguments, before, strict=True))
    assert value == pytest.approx(float(jitted(*[np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments])))
    active = [i for i, a in enumerate(arguments) if not isinstance(a, int)]
    parts = gradient if len(active) > 1 else (gradient,)
    directions = [rng.standard_normal(np.shape(arguments[i])) if np.shape(arguments[i]) else 0.7 for i in active]
    wanted = [difference(jitted, arguments, i, d) for i, d in zip(active, directions, strict=True)]
    for part, direction, want in zip(parts, directions, wanted, strict=True):
        assert np.shape(part) == np.shape(direction)
        assert np.sum(part * direction) == pytest.approx(want, rel=1e-7, abs=1e-7)
    value_again, tangent = differentiated.jvp(jitted)(tuple(arguments), tuple(directions))
    assert value_again == pytest.approx(value)
    assert tangent == pytest.approx(sum(wanted), rel=1e-7, abs=1e-7)


@pytest.mark.slow
def test_jacobian_by_rows_and_by_columns() -> None:
    @numba.njit
    def wide(x: Any, a: float) -> Any:
        return np.array([(x * x).sum() * a, x[0] / a])

    @numba.njit
    def tall(x: Any) -> Any:
        return np.outer(x, np.sin(x))

    x, a = VECTOR, 1.3
    by_x, by_a = differentiated.jacobian(wide)(x, a)
    assert np.allclose(by_x, [2 * x * a, np.eye(4)[0] / a])
    assert np.allclose(by_a, [(x * x).sum(), -x[0] / a**2])
    jacobian = differentiated.jacobian(tall)(x[:2])
    wanted = np.einsum("ik,j->ijk", np.eye(2), np.sin(x[:2])) + np.einsum("i,jk->ijk", x[:2], np.diag(np.cos(x[:2])))
    assert jacobian.shape == (2, 2, 2)
    assert np.allclose(jacobian, wanted)


def test_single_precision_keeps_its_type() -> None:
    @numba.njit
    def norm(x: Any) -> Any:
        return np.sqrt((x * x).sum())

    x = VECTOR.astype(np.float32)
    gradient = differentiated.grad(norm)(x)
    assert gradient.dtype == np.float32
    assert np.allclose(gradient, x / np.linalg.norm(x), rtol=1e-6)


def test_tuples_have_tuples_of_gradients() -> None:
    @numba.njit
    def f(pair: Any, k: int) -> Any:
        return (pair[0] * pair[0]).sum() * pair[1] ** k

    by_x, by_s = differentiated.grad(f)((VECTOR, 1.5), 3)
    assert np.allclose(by_x, 2 * VECTOR * 1.5**3)
    assert by_s == pytest.approx((VECTOR**2).sum() * 3 * 1.5**2)


def test_a_gradient_is_called_by_jitted_code() -> None:
    @numba.njit
    def energy(x: Any) -> Any:
        return (x**4).sum()

    gradient = differentiated.grad(energy)

    @numba.njit
    def descend(x: Any, steps: int) -> Any:
        for _ in range(steps):
            x = x - 0.01 * gradient(x)
        return x

    wanted = VECTOR
    for _ in range(10):
        wanted = wanted - 0.04 * wanted**3
    assert np.allclose(descend(VECTOR, 10), wanted)


@pytest.mark.slow
def test_second_derivatives() -> None:
    """The Jacobian of a gradient, and the gradient of a function that calls another one's gradient."""

    @numba.njit
    def energy(x: Any) -> Any:
        s = 0.0
        for i in range(x.shape[0] - 1):
            s += math.sin(x[i]) * x[i + 1] ** 3
        return s

    gradient = differentiated.grad(energy)

    @numba.njit
    def slope(x: Any) -> Any:
        return np.sum(gradient(x) ** 2)

    x, h = VECTOR, 1e-5
    hessian = differentiated.jacobian(gradient)(x)
    columns = [(gradient(x + h * e) - gradient(x - h * e)) / (2 * h) for e in np.eye(4)]
    assert np.allclose(hessian, columns, rtol=1e-8, atol=1e-8)
    assert np.allclose(differentiated.grad(slope)(x), 2 * hessian @ gradient(x), rtol=1e-12)


def of_complex_numbers(z: Any, a: complex) -> Any:
    s = 0.0
    for i in range(z.shape[0]):
        w = z[i] * z[i] * a + np.exp(z[i]) / a
        s += abs(w) + w.real * w.imag
    return s


def test_complex_numbers() -> None:
    """The gradient is ∂f/∂re + i ∂f/∂im."""
    jitted, z, a = numba.njit(of_complex_numbers), VECTOR + 0.3j, 0.3 - 0.8j
    by_z, by_a = differentiated.grad(jitted)(z, a)
    for k, direction in enumerate(np.eye(4)):
        parts = [difference(jitted, [z, a], 0, unit * direction) for unit in (1, 1j)]
        assert by_z[k] == pytest.approx(complex(*parts), rel=1e-8)
    assert by_a == pytest.approx(complex(*(difference(jitted, [z, a], 1, unit) for unit in (1, 1j))), rel=1e-8)
    _, tangent = differentiated.jvp(jitted)((z, a), (by_z, by_a))
    assert tangent == pytest.approx((abs(by_z) ** 2).sum() + abs(by_a) ** 2)
    with pytest.raises(SignatureError, match="a Jacobian needs real ones"):
        differentiated.jacobian(jitted)(z, a)


def test_complex_linear_algebra_is_refused() -> None:
    @numba.njit
    def product(z: Any) -> Any:
        return np.dot(z, z).real

    with pytest.raises(CompileError, match="numba_xxdot") as caught:
        differentiated.grad(product)(VECTOR + 0j)
    assert caught.value.diagnostics[0].line == product.py_func.__code__.co_firstlineno + 2


NAMES = ("mixed", "double_in_place", "rotated", "checked", "attraction", "product_of")
WRAPPED = [case for case in CASES if case.name in NAMES]


@pytest.mark.parametrize("case", WRAPPED, ids=str)
def test_jitted_code_calls_compiled_functions(case: CompiledCase, folder: Path) -> None:
    """Values are NumPy's, and gradients of a jitted function that calls the compiled one are right."""
    wrapped = differentiated.wrap(case.function(folder))
    want = case.reference(np, *case.inputs)
    outputs = want if isinstance(want, tuple) else (want,)
    got = wrapped(*case.inputs)
    for a, b in zip(got if isinstance(want, tuple) else (got,), outputs, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)
    terms = [f"np.sum(np.real(y{i}) ** 2)" if np.ndim(y) else f"y{i} ** 2" for i, y in enumerate(outputs)]
    names = {"wrapped": wrapped, "np": np}
    results = ", ".join(f"y{i}" for i in range(len(outputs)))
    inputs = ", ".join(f"x{i}" for i in range(len(case.inputs)))
    exec(f"def f({inputs}):\n    {results} = wrapped({inputs})\n    return {' + '.join(terms)}\n", names)
    jitted = numba.njit(names["f"])
    found = differentiated.grad(jitted)(*case.inputs)
    active = [i for i, x in enumerate(case.inputs) if not isinstance(x, int)]
    for i, part in zip(active, found if len(active) > 1 else (found,), strict=True):
        direction = rng.standard_normal(np.shape(part)) + (1j if np.iscomplexobj(part) else 0)
        along = float(np.sum(np.real(np.conj(part) * direction)))
        assert along == pytest.approx(difference(jitted, list(case.inputs), i, direction), rel=1e-7)


def test_calls_of_compiled_functions_are_checked(folder: Path) -> None:
    table = differentiated.wrap(enzyme_cc.function(folder / "functions.c", "table", CASES[6].signature))
    checked = differentiated.wrap(CASES[9].function(folder))
    with pytest.raises(SignatureError, match=r"b: wanted float64 b\[m\]; got float64"):
        table(VECTOR, 1.0)
    with pytest.raises(SignatureError, match="table takes a, b; got 1 arguments"):
        table(VECTOR)
    with pytest.raises(RuntimeError, match=r"checked: the function threw a C\+\+ exception"):
        checked(np.full(3, 100.0))
    mixed = differentiated.wrap(CASES[2].function(folder))
    with pytest.raises(ValueError, match=r"w: wanted float64 w\[n\]; the shape does not fit"):
        mixed(VECTOR, VECTOR[:2], 3, 0.5)


def test_an_exception_of_the_function_is_raised() -> None:
    @numba.njit
    def root(x: Any) -> Any:
        if x[0] < 0:
            raise ValueError("negative", x[0])
        return math.sqrt(x[0])

    gradient = differentiated.grad(root)
    assert gradient(np.array([4.0])) == pytest.approx([0.25])
    with pytest.raises(ValueError, match="negative"):
        gradient(np.array([-1.0]))


def test_what_needs_the_interpreter_is_refused_with_its_line() -> None:
    @numba.njit
    def printing(x: Any) -> Any:
        y = x[0] * 2
        print(y)
        return y

    with pytest.raises(CompileError) as caught:
        differentiated.grad(printing)(VECTOR)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.file == __file__
    assert diagnostic.line == printing.py_func.__code__.co_firstlineno + 3
    assert "PyObject_Str" in str(diagnostic.reason)


def test_arguments_and_results_without_derivative_are_refused() -> None:
    @numba.njit
    def of_rows(rows: Any) -> Any:
        return rows[0][0]

    @numba.njit
    def count(x: Any) -> Any:
        return x.shape[0]

    @numba.njit
    def doubled(x: Any) -> Any:
        return 2 * x

    with pytest.raises(SignatureError, match="whose derivative is not supported"):
        differentiated.grad(of_rows)(numba.typed.List([VECTOR]))
    with pytest.raises(SignatureError, match="returns int64, which has no derivative"):
        differentiated.grad(count)(VECTOR)
    with pytest.raises(SignatureError, match=r"use enzyme_cc\.numba\.jacobian"):
        differentiated.grad(doubled)(VECTOR)
    with pytest.raises(SignatureError, match="has no argument with a derivative"):
        differentiated.grad(square_and_sine)(3)
