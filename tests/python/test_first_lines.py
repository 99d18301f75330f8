"""The first lines that a user writes, as the issue that asked for this package has them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

SOLVER = """#include <cmath>
extern "C" double energy(const double *x, int n, const double *mass) {
  double e = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      e += mass[i] * std::sqrt(1 + x[3 * i + k] * x[3 * i + k]);
  return e;
}
"""
LINES = """
import enzyme_cc
f = enzyme_cc.function("solver.cpp", "energy", "x[n,3], n, const mass[n] -> return")
found = [
    f(x, mass), f.value_and_grad(x, mass), f.vjp(x, mass)(w), f.jvp((x, mass), (vx, vm)), f.jacobian(x, mass),
    f.hvp(x, mass, v)
]
"""


def test_first_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("solver.cpp").write_text(SOLVER)
    random = np.random.default_rng(0)
    x, v, vx = random.random((3, 4, 3))
    mass, vm = random.random((2, 4))
    names = {"x": x, "mass": mass, "w": 2.0, "v": v, "vx": vx, "vm": vm}
    exec(LINES, names)
    value, (same, gradient), pulled, (again, slope), jacobian, product = names["found"]  # type: ignore[misc]
    root = np.sqrt(1 + x * x)
    exact = mass[:, None] * x / root
    assert value == same == again == pytest.approx((mass[:, None] * root).sum())
    np.testing.assert_allclose(gradient, exact)
    np.testing.assert_allclose(pulled, 2 * exact)
    assert slope == pytest.approx((exact * vx).sum())
    np.testing.assert_allclose(jacobian, exact)
    np.testing.assert_allclose(product, mass[:, None] / root**3 * v)


def test_a_library_of_another_build_and_scipy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import enzyme_cc

    monkeypatch.chdir(tmp_path)
    Path("solver.cpp").write_text(SOLVER)
    compiler = shutil.which("enzyme-c++")
    assert compiler is not None
    subprocess.run([compiler, "-O2", "-g", "-fPIC", "-c", "solver.cpp"], check=True)
    subprocess.run(["ar", "rcs", "libsolver.a", "solver.o"], check=True)
    f = enzyme_cc.load("libsolver.a", "energy", "x[n,3], n, const mass[n] -> return")
    mass, x0 = np.array([1.0, 2.0]), np.ones(6)

    def flat(x: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = f.value_and_grad(x.reshape(2, 3), mass)
        return value, gradient.ravel()

    np.testing.assert_allclose(minimize(flat, x0, jac=True).x, 0, atol=1e-4)
