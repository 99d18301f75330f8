"""Compiled functions of many shapes, each with the same function in NumPy's terms: what adapters are tested with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import enzyme_cc
from enzyme_cc.functions.calls.differentiable import DifferentiableFunction

_C = """
#include <complex.h>
#include <math.h>
double norm(const double *x, long n) { double s = 0; for (long i = 0; i < n; i++) s += x[i] * x[i]; return sqrt(s); }
void wave(const double *x, long n, double *y) { for (long i = 0; i < n; i++) y[i] = x[i] * x[i] * x[(i + 1) % n]; }
double mixed(const double *x, long n, const double *w, int power, double a, double *y) {
  double s = 0;
  for (long i = 0; i < n; i++) {
    y[i] = w[i] * sin(a * x[i]);
    s += pow(x[i], power) * a;
  }
  return s;
}
void double_in_place(double *x, long n) { for (long i = 1; i < n; i++) x[i] *= x[i - 1]; }
float single(const float *x, long n) { float s = 0; for (long i = 0; i < n; i++) s += x[i] * x[i] * x[i]; return s; }
void rotated(const double complex *z, long n, double complex a, double complex *w) {
  for (long i = 0; i < n; i++) w[i] = a * z[i] * z[i] + conj(z[i]);
}
void table(const double *a, const double *b, long n, long m, double *c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) c[i * m + j] = a[i] * b[j] * b[j];
}
double energy(double x, double y) { return x * x * y + exp(y); }
struct body { double x, y, mass; };
double attraction(const struct body *bodies, long n) {
  double e = 0;
  for (long i = 1; i < n; i++) {
    const struct body *a = &bodies[i - 1], *b = &bodies[i];
    e -= a->mass * b->mass / ((a->x - b->x) * (a->x - b->x) + (a->y - b->y) * (a->y - b->y) + 1);
  }
  return e;
}
void grid(double a, long n, double *y) { for (long i = 0; i < n; i++) y[i] = sin(a * i); }
"""
_CXX = """
#include <stdexcept>
extern "C" double checked(const double *x, long n) {
  double s = 0;
  for (long i = 0; i < n; i++) {
    try {
      if (x[i] < 0) throw std::runtime_error("negative");
      s += x[i] * x[i];
    } catch (const std::runtime_error &) { s -= x[i]; }
  }
  if (s > 1000) throw std::runtime_error("too large");
  return s;
}
"""
_FORTRAN = """
subroutine product_of(a, x, n, m, y) bind(c)
  use iso_c_binding
  integer(c_long), value :: n, m
  real(c_double), intent(in) :: a(n, m), x(m)
  real(c_double), intent(out) :: y(n)
  integer :: i, j
  y = 0
  do j = 1, m
    do i = 1, n
      y(i) = y(i) + a(i, j) * x(j)**2
    end do
  end do
end subroutine
"""


@dataclass(frozen=True)
class CompiledCase:
    """One function: where it is, its signature, values of its inputs; `reference(np, *inputs)` is the same in NumPy."""

    name: str
    signature: str
    inputs: tuple[Any, ...]
    reference: Callable[..., Any]
    file: str = "functions.c"

    def function(self, folder: Path) -> DifferentiableFunction:
        """Compiles the function. `folder` is that of `write`."""
        return enzyme_cc.function(folder / self.file, self.name, self.signature)

    def __str__(self) -> str:
        return self.name


def write(folder: Path) -> Path:
    """Writes the sources into a folder, and returns it."""
    for name, text in (("functions.c", _C), ("checked.cpp", _CXX), ("product.f90", _FORTRAN)):
        (folder / name).write_text(text)
    return folder


def _roll(np_: Any, x: Any) -> Any:
    return np_.concatenate([x[1:], x[:1]])


def _attraction(np_: Any, bodies: Any) -> Any:
    distances = ((bodies[1:, :2] - bodies[:-1, :2]) ** 2).sum(1) + 1
    return -(bodies[1:, 2] * bodies[:-1, 2] / distances).sum()


_X, _Y = np.array([0.7, 1.3, 0.4]), np.array([1.1, 0.2, 0.9, 0.5])
CASES = [
    CompiledCase("norm", "x[n], n -> return", (_X,), lambda np_, x: np_.sqrt((x * x).sum())),
    CompiledCase("wave", "x[n], n, out y[n]", (_X,), lambda np_, x: x * x * _roll(np_, x)),
    CompiledCase(
        "mixed",
        "x[n], n, const w[n], power, a, out y[n] -> return",
        (_X, np.array([2.0, 3.0, 4.0]), 3, 0.8),
        lambda np_, x, w, power, a: (w * np_.sin(a * x), (x**3).sum() * a),
    ),
    CompiledCase("double_in_place", "inout x[n], n", (_Y,), lambda np_, x: np_.cumprod(x, 0)),
    CompiledCase("single", "x[n], n -> return", (_X.astype(np.float32),), lambda np_, x: (x * x * x).sum()),
    CompiledCase(
        "rotated",
        "z[n], n, a, out w[n]",
        (_X + 0.5j, 0.3 - 0.2j),
        lambda np_, z, a: a * z * z + np_.conj(z),
    ),
    CompiledCase("table", "a[n], b[m], n, m, out c[n,m]", (_X, _Y), lambda np_, a, b: a[:, None] * (b * b)[None, :]),
    CompiledCase("energy", "x, y -> return", (0.6, 0.3), lambda np_, x, y: x * x * y + np_.exp(y)),
    CompiledCase("wave", "x[n], n, out y[n]", (np.zeros(0),), lambda np_, x: x * x),
    CompiledCase("checked", "x[n], n -> return", (_X,), lambda np_, x: (x * x).sum(), "checked.cpp"),
    CompiledCase("attraction", "bodies[n], n -> return", (np.cos(np.arange(9.0)).reshape(3, 3),), _attraction),
    CompiledCase(
        "product_of",
        "a[n,m], x[m], n, m, out y[n]",
        (np.arange(6.0).reshape(2, 3) / 5, _X),
        lambda np_, a, x: a @ (x * x),
        "product.f90",
    ),
]
