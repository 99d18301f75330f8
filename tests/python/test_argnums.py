"""Free dimensions, inputs by argnums, cotangents of zeros, methods that are pickled, and how isolated calls end."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import enzyme_cc

from .conftest import SOURCES

X = np.array([1.0, 2, 3, 4])


@pytest.fixture(scope="module")
def scaled(build: Callable[..., Any]) -> Any:
    return build("free_shapes.c", "scaled", "x[n], n, a -> return")


def test_extent_that_the_function_does_not_take(build: Callable[..., Any]) -> None:
    f = build("free_shapes.c", "pick", "x[m], index[n], n -> return")
    index = np.array([1, 3], "int32")
    assert f(X, index) == 20
    np.testing.assert_array_equal(f.grad(X, index), [0, 4, 0, 8])


def test_shapes_of_fortran_are_those_of_the_arrays(build: Callable[..., Any]) -> None:
    f = build("free_shapes.f90", "Norm2Of")  # no signature, and large letters
    np.testing.assert_array_equal(f.grad(X), 2 * X)
    axpy = build("free_shapes.f90", "m::axpy", "a, u[p,:], inout v[p,q]")
    u = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(axpy(2.0, u, u), 3 * u)
    assert axpy.vjp(2.0, u, u)(np.ones_like(u))[0] == u.sum()
    with pytest.raises(ValueError, match="p = 2"):
        axpy(2.0, u, np.asfortranarray(np.ones((3, 3))))


def test_near_name_of_a_function_that_is_not_there() -> None:
    with pytest.raises(enzyme_cc.CompileError, match="did you mean scaled"):
        enzyme_cc.function(SOURCES / "free_shapes.c", "scalde", "x[n], n, a -> return")


def test_argnums_choose_inputs_by_position_and_name(scaled: Any) -> None:
    assert scaled.grad(X, 2.0, argnums=1) == 10
    np.testing.assert_array_equal(scaled.grad(X, a=2.0, argnums="x"), [2, 2, 2, 2])
    value, (by_a, by_x) = scaled.value_and_grad(X, 2.0, argnums=(-1, 0))
    assert (value, by_a, list(by_x)) == (20, 10, [2, 2, 2, 2])
    assert scaled.jacobian(X, 2.0, argnums=1) == 10
    ((of_a,),) = scaled.hessian(X, 2.0, argnums=("a",))
    assert of_a == 0


@pytest.mark.parametrize(
    "argnums, fault", [(5, "argument 5 has no"), ("n", "argument n has no"), (1, "1, index, has no")]
)
def test_argnums_without_derivative(build: Callable[..., Any], argnums: Any, fault: str) -> None:
    f = build("free_shapes.c", "pick", "x[m], index[n], n -> return")
    with pytest.raises(ValueError, match=fault):
        f.grad(X, np.array([1], "int32"), argnums=argnums)


def test_cotangent_and_tangent_of_none_are_zeros(scaled: Any) -> None:
    by_x, by_a = scaled.vjp(X, 2.0)(None)
    assert by_a == 0 and not by_x.any()
    assert scaled.jvp((X, 2.0), (None, 1.0)) == (20, 10)


def test_methods_are_pickled(scaled: Any) -> None:
    for method in (scaled.grad, scaled.value_and_grad, scaled.vjp, scaled.jacobian):
        assert callable(pickle.loads(pickle.dumps(method)))
    assert pickle.loads(pickle.dumps(scaled.grad))(X, 2.0, argnums=1) == 10


def test_methods_of_any_shape_take_argnums_and_are_pickled(build: Callable[..., Any]) -> None:
    f = build("free_shapes.c", "scaled")
    x = X.reshape(2, 2)
    assert pickle.loads(pickle.dumps(f.grad))(x, 2.0, argnums=1) == 10
    assert f.jacobian(x, 2.0, argnums=0).shape == (2, 2)


@pytest.fixture
def interrupts() -> Iterator[None]:
    """An interrupt raises KeyboardInterrupt, also in a job that a shell started in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupts")
def test_interrupt_stops_an_isolated_call() -> None:
    f = enzyme_cc.function(SOURCES / "free_shapes.c", "forever", "x -> return", isolated=True)
    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        f(1.0)
    with pytest.raises(TypeError):  # of a new child
        f("no number")


def test_worker_ends_with_its_parent() -> None:
    source = SOURCES / "free_shapes.c"
    text = (
        "import enzyme_cc, os, threading, time\n"
        f"f = enzyme_cc.function({str(source)!r}, 'forever', 'x -> return', isolated=True)\n"
        "threading.Thread(target=lambda: f(1.0), daemon=True).start()\n"
        "while f._child is None: time.sleep(0.01)\n"
        "print(f._child._process.pid, flush=True)\n"
        "time.sleep(0.5)\n"
        "os._exit(0)\n"
    )
    child = int(subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60).stdout)
    deadline = time.monotonic() + 20
    while os.path.exists(f"/proc/{child}") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not os.path.exists(f"/proc/{child}")
