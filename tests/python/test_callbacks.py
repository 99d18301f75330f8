"""Functions of Python that compiled code calls, with derivatives by Python's functions or by differences."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import enzyme_cc
from enzyme_cc.functions.callback_wrapper import CallbackWriter

from .conftest import SOURCES

A = np.array([[0, 1.0], [-1, -0.1]])
STEPS = 10
#: the product of the steps' matrices: the Jacobian of `integrate`
PROPAGATOR = np.linalg.multi_dot([np.eye(2) + 0.1 * (1 + 0.1 * k) * A for k in reversed(range(STEPS))])
Y0 = np.array([1.0, 0.5])


@pytest.fixture(scope="module")
def integral() -> Any:
    return enzyme_cc.function(SOURCES / "callbacks.c", "integral", "callback f(x), a, b, const n -> return")


@pytest.fixture(scope="module")
def integrate() -> Any:
    signature = "callback rhs(t, y[n], out dy[n], handle ctx), handle ctx, y0[n], n, steps, out y[n]"
    return enzyme_cc.function(SOURCES / "callbacks.c", "integrate", signature)


def middle(f: Any, n: int = 100) -> tuple[float, float]:
    """The derivative of the midpoint rule from 0.5 to 1, with respect to both ends."""
    x, h = 0.5 + (np.arange(n) + 0.5) * 0.5 / n, 0.5 / n
    slope = f(x + 1e-6j).imag / 1e-6
    share = (np.arange(n) + 0.5) / n
    value = f(x).sum() / n
    return float(-value + h * (slope * (1 - share)).sum()), float(value + h * (slope * share).sum())


@pytest.mark.parametrize(
    "given",
    [{"jvp": lambda x, dx: np.cos(x) * dx}, {"vjp": lambda x, d: np.cos(x) * d}, {"differences": True}],
    ids=lambda given: next(iter(given)),
)
def test_both_modes_of_each_kind(integral: Any, given: dict[str, Any]) -> None:
    sin = enzyme_cc.callback(np.sin, **given)
    expected = middle(np.sin)
    np.testing.assert_allclose(integral.grad(sin, 0.5, 1.0, 100), expected, rtol=1e-8)
    _, tangent = integral.jvp((sin, 0.5, 1.0, 100), (1.0, 2.0))
    assert tangent == pytest.approx(expected[0] + 2 * expected[1], rel=1e-8)


def test_arrays_and_integers_of_the_caller(integrate: Any) -> None:
    calls: list[float] = []

    def rhs(t: float, y: Any, ctx: int) -> Any:
        calls.append(t)
        return (1 + t) * A @ y

    def vjp(t: float, y: Any, ctx: int, d: Any) -> tuple[Any, Any]:
        return d @ A @ y, (1 + t) * A.T @ d

    np.testing.assert_allclose(integrate(rhs, 0, Y0, STEPS), PROPAGATOR @ Y0)
    assert calls == pytest.approx([0.1 * k for k in range(STEPS)])
    given = enzyme_cc.callback(rhs, vjp=vjp)
    np.testing.assert_allclose(integrate.jacobian(given, 0, Y0, STEPS), PROPAGATOR)
    np.testing.assert_allclose(integrate.vjp(given, 0, Y0, STEPS)(np.array([1.0, 2])), PROPAGATOR.T @ [1, 2])
    assert integrate.check(given, 0, Y0, STEPS)


def test_a_compiled_function_is_a_callback_with_derivatives(integral: Any) -> None:
    square = enzyme_cc.function(SOURCES / "callbacks.c", "twice", "x -> return")
    np.testing.assert_allclose(integral.grad(square, 0.5, 1.0, 100), middle(lambda x: 2 * x * x), rtol=1e-8)
    root = enzyme_cc.function(SOURCES / "callbacks.c", "newton", "callback f(x, a), a -> return")
    given = enzyme_cc.callback(lambda x, a: x * x - a, vjp=lambda x, a, d: (2 * x * d, -d))
    assert root.grad(given, 2.0) == pytest.approx(0.5 / np.sqrt(2))
    # a callback that calls the function again
    nested = enzyme_cc.callback(lambda x: root(given, x), vjp=lambda x, d: root.grad(given, x) * d)
    np.testing.assert_allclose(integral.grad(nested, 0.5, 1.0, 100), middle(np.sqrt), rtol=1e-6)


def test_an_exception_that_the_callback_has_caught_is_over(integral: Any) -> None:
    def wrong(x: float) -> float:
        raise ValueError("inside")

    def caught(x: float) -> float:
        with pytest.raises(RuntimeError, match="inside"):
            integral(wrong, 0.0, 1.0, 1)
        return 2 * x

    assert integral(caught, 0.0, 1.0, 4) == pytest.approx(1.0)


def test_several_threads(integral: Any) -> None:
    found: dict[int, float] = {}

    def run(k: int) -> None:
        found[k] = integral.grad(enzyme_cc.callback(lambda x: k * x, jvp=lambda x, dx: k * dx), 0.5, 1.0, 50)[1]

    threads = [threading.Thread(target=run, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == pytest.approx({k: k * 1.0 for k in range(8)})


def test_mistakes(integral: Any, integrate: Any) -> None:
    def broken(x: float) -> float:
        raise ValueError(f"not at {x:g}")

    for call, words in [
        (lambda: integral.grad(np.sin, 0.5, 1.0, 100), r"f has no derivative: pass enzyme_cc.callback\(f, vjp="),
        (lambda: integral(broken, 0.0, 1.0, 1), "ValueError in the callback f: not at 0.5"),
        (lambda: integral(lambda x: None, 0.0, 1.0, 1), "return: wanted a number or an array; got None"),
        (lambda: integral(lambda x: np.ones(2), 0.0, 1.0, 1), r"return: wanted shape \(\); got \(2,\)"),
        (lambda: integrate(lambda t, y, c: 0.0, 0, Y0, STEPS), r"dy: wanted shape \(2,\); got \(\)"),
    ]:
        with pytest.raises(RuntimeError, match=words):
            call()
    with pytest.raises(TypeError, match="f: wanted a function; got int"):
        integral(3, 0.5, 1.0, 100)
    with pytest.raises(TypeError, match="first derivatives only"):
        integral.hvp(enzyme_cc.callback(np.sin, differences=True), 0.5, 1.0, 100, (1.0, 0.0))
    with pytest.raises(ValueError, match="callback needs vjp, jvp, or differences"):
        enzyme_cc.callback(np.sin)


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        ("callback f, a, b, n -> return", "a callback has its parameters in brackets"),
        ("callback f(x, y), a, b, n -> return", "f has 1 parameters; the signature has x, y"),
        ("f, a, b, n -> return", r"f has type double \(\*\)\(double\)"),
        ("callback f(x), callback a(x), b, n -> return", "a is double, which is no pointer to a function"),
    ],
)
def test_wrong_signatures(signature: str, words: str) -> None:
    with pytest.raises(enzyme_cc.SignatureError, match=words):
        enzyme_cc.function(SOURCES / "callbacks.c", "integral", signature)


def test_names_of_what_is_written(integrate: Any) -> None:
    parameter = integrate.interface.arguments[0]
    text = CallbackWriter(parameter, parameter.callback, lambda element: element.c).text()
    assert "t_rhs(double a_t, double *a_y, double *a_dy, void * a_ctx)" in text
    assert "{(void *)t_rhs, (void *)augmented_rhs, (void *)reverse_rhs}" in text


# -- dummy procedures of Fortran


def of_fortran(name: str, signature: str) -> Any:
    return enzyme_cc.function(SOURCES / "callbacks.f90", name, signature)


def test_a_function_of_fortran_in_both_modes() -> None:
    integral = of_fortran("integral", "callback f(x -> return), a, b, const n -> return")
    for sin in (
        enzyme_cc.callback(np.sin, vjp=lambda x, d: np.cos(x) * d),
        enzyme_cc.callback(np.sin, differences=True),
    ):
        np.testing.assert_allclose(integral.grad(sin, 0.5, 1.0, 100), middle(np.sin), rtol=1e-8)
        assert integral.check(sin, 0.5, 1.0, 100)


def test_a_subroutine_of_fortran_with_arrays() -> None:
    euler = of_fortran("euler", "callback rhs(n, t, y[n], out dy[n]), y0[n], n, steps, out y[n]")

    def rhs(t: float, y: Any) -> Any:
        return (1 + t) * A @ y

    given = enzyme_cc.callback(rhs, vjp=lambda t, y, d: (d @ A @ y, (1 + t) * A.T @ d))
    np.testing.assert_allclose(euler(rhs, Y0, STEPS), PROPAGATOR @ Y0)
    np.testing.assert_allclose(euler.jacobian(given, Y0, STEPS), PROPAGATOR)
    np.testing.assert_allclose(euler.jvp((given, Y0, STEPS), (np.ones(2),))[1], PROPAGATOR @ np.ones(2))
    with pytest.raises(RuntimeError, match=r"rhs has no derivative: pass enzyme_cc\.callback"):
        euler.jacobian(rhs, Y0, STEPS)


def test_types_and_columns_of_fortran() -> None:
    signature = "callback f(float32 a[2,n], n, int32 weight -> float32 return), a[2,n], n -> return"
    of_matrix = of_fortran("of_matrix", signature)
    scale = np.array([[1, 10, 100], [1000, 10000, 100000]], np.float32)
    f = enzyme_cc.callback(lambda a, w: w * (a * scale).sum(), vjp=lambda a, w, d: w * scale * d)
    value, gradient = of_matrix.value_and_grad(f, np.asfortranarray(np.eye(2, 3, dtype=np.float32)))
    assert value == 2 * 3 * 10001
    np.testing.assert_array_equal(gradient, 6 * scale)


def test_assumed_shape_is_told() -> None:
    f = of_fortran("assumed_shape", "callback rhs(y[n], out dy[n]), y0[:], out y[n]")
    with pytest.raises(RuntimeError, match=r"y has assumed shape in its interface: declare its dimensions, y\(n\)"):
        f(lambda y: y, np.ones(3), 3)


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        ("callback f(x), a, b, n -> return", "f has no output: write out before a parameter, or -> return"),
        (
            "f, a, b, n -> return",
            r"f has type procedure\(\), .*\n.*\n.*\n  start from: 'callback argument1\(…\), a, b, n",
        ),
        ("callback f(x -> return), c, b, n -> return", "the function's parameters are argument1, a, b, n"),
    ],
)
def test_wrong_signatures_of_fortran(signature: str, words: str) -> None:
    with pytest.raises(enzyme_cc.SignatureError, match=words):
        of_fortran("integral", signature)
