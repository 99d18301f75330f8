"""Functions of many shapes and languages: the value is NumPy's, the derivatives agree with differences."""

from __future__ import annotations

import ctypes
import shutil
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

R = np.random.default_rng(0)
X, Y = R.random(5), R.random(5)
Z = R.random(4) + 1j * R.random(4)
U = np.asfortranarray(R.random((2, 3)))
PARTICLE = np.dtype(
    {"names": ["x", "mass", "is_free"], "formats": [("f8", 3), "f8", "i4"], "offsets": [0, 24, 32], "itemsize": 40}
)
PARTICLES = np.zeros(3, PARTICLE)
PARTICLES["x"], PARTICLES["mass"], PARTICLES["is_free"] = R.random((3, 3)), 2, [1, 0, 1]
PAIR = np.zeros((), [("a", "f8"), ("b", "f8")])
PAIR["a"], PAIR["b"] = 2, 3


def folded(p: Any, m: int) -> Any:
    return np.array([sum(p[i] ** 2 for i in range(len(p)) if i % m == k) for k in range(m)])


def in_place(x: Any, steps: int) -> Any:
    x = x.copy()
    for _ in range(steps):
        for i in range(1, len(x)):
            x[i] += 0.1 * x[i - 1] ** 2
    return x


class FunctionCase(NamedTuple):
    file: str
    name: str
    signature: str | None
    inputs: tuple[Any, ...]
    expected: Callable[..., Any]


CASES = [
    FunctionCase("shapes.c", "numbers", "a, b -> return", (0.3, 0.5), lambda a, b: np.sin(a) * b * b),
    FunctionCase("shapes.c", "combine", "a, x[n], y[n], n, out out[n]", (0.3, X, Y), lambda a, x, y: a * x + y * y),
    FunctionCase("shapes.c", "squares", None, (X.astype("f4").reshape(5, 1),), lambda x: x * x),
    FunctionCase(
        "shapes.c", "several", "x[n], n, out y[n], out z -> return", (X,), lambda x: (np.exp(x), x.sum(), x.sum() ** 2)
    ),
    FunctionCase("shapes.c", "in_place", "inout x[n], n, steps", (X, 3), in_place),
    FunctionCase("shapes.c", "single", "x[n], n -> return", (X.astype("f4"),), lambda x: (x**3).sum()),
    FunctionCase("shapes.c", "products", "a[n], b[n], n, out c[n]", (Z, Z[::-1]), lambda a, b: a * b + a.conj()),
    FunctionCase("shapes.c", "sum_of_squares", "a[n], n -> return", (Z,), lambda a: (a * a).sum()),
    FunctionCase("shapes.c", "of_pair", "p, k -> return", (PAIR, 2), lambda p, k: k * p["a"] * p["b"]),
    FunctionCase(
        "shapes.c", "folded", "p[n*(n+1)//2], n, out full[m], m", (R.random(6), 3, 4), lambda p, n, m: folded(p, m)
    ),
    FunctionCase(
        "shapes.c",
        "chosen",
        "x[n], n, const which[k], k, power -> return",
        (X, np.array([1, 3], "i4"), 3),
        lambda x, which, power: (x[which] ** power).sum(),
    ),
    FunctionCase("shapes.c", "with_status", "x[n], n, out y -> return", (X,), lambda x: (x @ x, 1)),
    FunctionCase("shapes.cpp", "physics::energy", "x[n], n -> return", (X,), lambda x: (x * x * np.sin(x)).sum()),
    FunctionCase("shapes.cpp", "caught", "x, n -> return", (0.5, 3), lambda x, n: 2 * x * x + x),
    FunctionCase("shapes.cpp", "squared", "a[n], n, out b[n]", (Z,), lambda a: a * a),
    FunctionCase("shapes.cpp", "_Z10overloadedd", "x -> return", (3.0,), lambda x: x * x),
    FunctionCase(
        "shapes.f90",
        "step",
        "u[n,m], n, m, c, out r[n,m]",
        (U, 0.5),
        lambda u, c: u**2 * np.arange(1, 3)[:, None] + c * np.arange(1, 4),
    ),
    FunctionCase("shapes.f90", "assumed", "x[2,3] -> return", (U,), lambda x: (x[0] ** 2).sum() + x[1].prod()),
    FunctionCase("shapes.f90", "cubes", "x[n], n, out y", (X,), lambda x: (x**3).sum()),
    FunctionCase("names_of_libraries.c", "functions", "x -> return", (1.7,), lambda x: 15 * x + 2 * x * x),
    FunctionCase("names_of_libraries.c", "variables", "x -> return", (1.7,), lambda x: 9 * x),
    FunctionCase("names_of_libraries.c", "error", "x[n], n -> return", (X,), lambda x: x @ x),
    FunctionCase("names_of_libraries.f90", "j0", "x -> return", (1.7,), lambda x: 6 * x * x),
    FunctionCase("bare.ll", "dot", "float64 x[n], n -> return", (X,), lambda x: x @ x),
    pytest.param(
        FunctionCase("shapes.rs", "norm", "x[n], n -> return", (X,), lambda x: np.sqrt(x @ x)),
        marks=pytest.mark.skipif(shutil.which("rustc") is None, reason="rustc is not installed"),
        id="rust",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}:{case.name}")
def test_value_and_derivatives(build: Callable[..., Any], case: FunctionCase) -> None:
    f = build(case.file, case.name, case.signature)
    tolerance = 1e-5 if any(p.element.size == 4 and p.is_active for p in f.interface.active_inputs) else 1e-12
    got, expected = f(*case.inputs), case.expected(*case.inputs)
    pairs = zip(got, expected, strict=True) if isinstance(expected, tuple) else [(got, expected)]
    for value, wanted in pairs:
        assert np.shape(value) == np.shape(wanted)
        np.testing.assert_allclose(value, wanted, rtol=tolerance)
    report = f.check(*case.inputs)
    assert report, report


def test_struct_arrays(build: Callable[..., Any]) -> None:
    f = build("shapes.c", "kinetic", "p[n], n -> return")
    free = PARTICLES[PARTICLES["is_free"] == 1]
    x = free["x"]
    assert f(PARTICLES) == pytest.approx((free["mass"] * (x[:, 0] ** 2 + x[:, 1] * x[:, 2])).sum())
    gradient = f.grad(PARTICLES)
    assert gradient.dtype == PARTICLE
    np.testing.assert_allclose(gradient["x"][0], 2 * np.array([2 * x[0, 0], x[0, 2], x[0, 1]]))
    assert not gradient["x"][1].any() and not gradient["is_free"].any()


def test_a_struct_is_returned(build: Callable[..., Any]) -> None:
    f = build("shapes.c", "to_pair", "a, b -> return")
    assert f(2.0, 3.0).item() == (6, 5)
    weight = np.zeros((), f(2.0, 3.0).dtype)
    weight["a"], weight["b"] = 1, 10
    assert f.vjp(2.0, 3.0)(weight) == (13, 12)


def test_zero_elements(build: Callable[..., Any]) -> None:
    f = build("shapes.c", "single", "x[n], n -> return")
    assert f(np.zeros(0, "f4")) == 0
    assert f.grad(np.zeros(0, "f4")).shape == (0,)


def test_a_static_library_of_another_build(tmp_path: Any) -> None:
    import subprocess

    import enzyme_cc

    from .conftest import SOURCES

    compiler = shutil.which("enzyme-cc")
    assert compiler is not None
    subprocess.run(
        [compiler, "-O2", "-g", "-fPIC", "-c", SOURCES / "shapes.c", "-o", tmp_path / "shapes.o"], check=True
    )
    subprocess.run(["ar", "rcs", tmp_path / "libshapes.a", tmp_path / "shapes.o"], check=True)
    f = enzyme_cc.load(tmp_path / "libshapes.a", "numbers", "a, b -> return")
    value, gradient = f.value_and_grad(0.3, 0.5)
    assert value == pytest.approx(np.sin(0.3) / 4)
    assert gradient == pytest.approx((np.cos(0.3) / 4, np.sin(0.3)))


def test_functions_of_a_shared_library_have_its_state(tmp_path: Any) -> None:
    import enzyme_cc

    text = (
        "static double gain = 1;\nvoid set_gain(double g) { gain = g; }\ndouble f(double x) { return gain * x * x; }\n"
    )
    (tmp_path / "gain.c").write_text(text)
    import subprocess

    compiler = shutil.which("enzyme-cc")
    assert compiler is not None
    subprocess.run([compiler, "-O2", "-g", "-fPIC", "-shared", "gain.c", "-o", "libgain.so"], check=True, cwd=tmp_path)
    f = enzyme_cc.load(tmp_path / "libgain.so", "f", "x -> return")
    assert (f(3.0), f.grad(3.0)) == (9, 6)
    set_gain = ctypes.CDLL(str(tmp_path / "libgain.so")).set_gain
    set_gain(ctypes.c_double(5))
    assert (f(3.0), f.grad(3.0)) == (45, 30)


def test_several_sources_in_two_languages(tmp_path: Any) -> None:
    import enzyme_cc

    text = "void inner_(double *, double *);\nvoid outer(double *x, double *y) { inner_(x, y); *y *= 2; }\n"
    (tmp_path / "outer.c").write_text(text)
    (tmp_path / "inner.f90").write_text("subroutine inner(x, y)\nreal(8) x, y\ny = x**3\nend subroutine\n")
    f = enzyme_cc.function([tmp_path / "outer.c", tmp_path / "inner.f90"], "outer", "x, out y")
    assert f.value_and_grad(2.0) == (16, 24)
