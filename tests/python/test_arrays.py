"""What arrays and numbers a function takes, and what it says of others."""

from __future__ import annotations

import array
import resource
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

X, Y = np.arange(4.0), np.linspace(1, 2, 4)


@pytest.fixture(scope="module")
def combine(build: Callable[..., Any]) -> Any:
    return build("shapes.c", "combine", "a, x[n], y[n], n, out out[n]")


class ArrayInterfaceOnly:
    """An object with NumPy's array interface only."""

    def __init__(self, data: Any) -> None:
        self.kept = data
        self.__array_interface__ = data.__array_interface__


class DLPackOnly:
    """An object with DLPack only."""

    def __init__(self, data: Any) -> None:
        self.__dlpack__, self.__dlpack_device__ = data.__dlpack__, data.__dlpack_device__


@pytest.mark.parametrize(
    "x",
    [
        X,
        array.array("d", X),
        memoryview(X),
        ArrayInterfaceOnly(X),
        DLPackOnly(X),
        np.repeat(X, 2)[::2],
        X[::-1].copy()[::-1],
    ],
    ids=["numpy", "array", "memoryview", "interface", "dlpack", "strided", "reversed"],
)
def test_arrays_of_all_kinds(combine: Any, x: Any) -> None:
    np.testing.assert_array_equal(combine(2.0, x, Y), 2 * X + Y * Y)


def test_unaligned_arrays(combine: Any) -> None:
    x = np.frombuffer(b"\0" + X.tobytes(), np.uint8)[1:].view("f8")
    assert not x.flags.aligned
    np.testing.assert_array_equal(combine(2.0, x, Y), 2 * X + Y * Y)


WRONG = [
    ((2.0, X), TypeError, "combine takes a, x, y; got 2 arguments"),
    ((2.0, X.astype("f4"), Y), TypeError, r"x: wanted float64 x\[n\]; got an array of float32, shape \(4,\)"),
    ((2.0, X.astype(">f8"), Y), TypeError, r"x: wanted float64 x\[n\]; got an array of >f8"),
    ((2.0, X.reshape(2, 2), Y), ValueError, r"x: wanted 1 dimensions, float64 x\[n\]; got shape \(2, 2\)"),
    ((2.0, X, Y[:3]), ValueError, r"y: wanted float64 y\[n\] with n = 4, shape \(4,\); got shape \(3,\)"),
    ((2.0, "text", Y), TypeError, r"x: wanted an array, float64 x\[n\]; got str$"),
    ((2.0, [1.0], Y), TypeError, r"x: wanted an array, float64 x\[n\]; got list: numpy.array"),
    (("2", X, Y), TypeError, "a: wanted a number, float64; got str"),
    ((2.0, None, Y), TypeError, "x: wanted an array"),
]


@pytest.mark.parametrize(("inputs", "error", "message"), WRONG)
def test_wrong_arguments(combine: Any, inputs: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        combine(*inputs)


def test_wrong_names(combine: Any) -> None:
    with pytest.raises(TypeError, match="combine takes a, x, y; got 3 arguments and z"):
        combine(2.0, X, Y, z=1)
    np.testing.assert_array_equal(combine(2.0, y=Y, x=X), 2 * X + Y * Y)


def test_integers_must_fit(build: Callable[..., Any]) -> None:
    f = build("shapes.c", "in_place", "inout x[n], n, steps")
    with pytest.raises(ValueError, match="steps: 2147483648 does not fit int32"):
        f(X, 2**31)
    with pytest.raises(TypeError, match="steps: wanted an integer, int32; got float"):
        f(X, 1.0)


def test_inout_arrays_are_not_changed(build: Callable[..., Any]) -> None:
    f = build("shapes.c", "in_place", "inout x[n], n, steps")
    x = X.copy()
    assert f(x, 2)[3] != x[3]
    f.vjp(x, 2)(Y)
    np.testing.assert_array_equal(x, X)


def test_cotangents_are_not_changed(combine: Any) -> None:
    w = Y.copy()
    np.testing.assert_array_equal(combine.vjp(2.0, X, Y)(w)[1], 2 * Y)
    np.testing.assert_array_equal(w, Y)
    with pytest.raises(ValueError, match=r"cotangent of out: wanted shape \(4,\); got \(3,\)"):
        combine.vjp(2.0, X, Y)(Y[:3])


def test_outputs_of_the_caller(combine: Any) -> None:
    out = np.empty(4)
    assert combine(2.0, X, Y, out=out) is out
    np.testing.assert_array_equal(out, 2 * X + Y * Y)
    y = Y.copy()
    assert combine(2.0, X, y, out=y) is y
    np.testing.assert_array_equal(y, out)
    memory = np.arange(6.0)
    combine(2.0, memory[:4], Y, out=memory[2:])
    np.testing.assert_array_equal(memory[2:], out)


def test_outputs_that_are_refused(combine: Any) -> None:
    fixed = np.empty(4)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="out out: the output is read-only"):
        combine(2.0, X, Y, out=fixed)
    with pytest.raises(ValueError, match="out out: an output must be contiguous"):
        combine(2.0, X, Y, out=np.empty(8)[::2])
    with pytest.raises(TypeError, match="out: wanted 1 arrays, got 2"):
        combine(2.0, X, Y, out=(fixed, fixed))


def test_what_a_function_does_not_write_is_zero(build: Callable[..., Any]) -> None:
    f = build("shapes.c", "folded", "p[n*(n+1)//2], n, out full[m], m")
    for _ in range(5):
        np.testing.assert_array_equal(f(np.ones(3), 2, 5), [1, 1, 1, 0, 0])
    with pytest.raises(ValueError, match="p: wanted"):
        f(np.ones(4), 2, 5)


def test_large_arrays_are_not_copied(build: Callable[..., Any]) -> None:
    f = build("shapes.c", "rosenbrock", "x[n], n -> return")
    x = np.zeros(10_000_000)
    f(x[:10])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert f(x) == 9_999_999
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kilobytes; a copy has 80,000
