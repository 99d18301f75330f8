"""Derivatives of functions without bitcode: those that a project brings, and how programs declare those of BLAS."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENZYME_CC = Path(sys.executable).parent / "enzyme-cc"
EXAMPLE = (ROOT / "docs" / "extending.md").read_text().partition("## A function of a library without bitcode\n")[2]
DERIVATIVE, PROGRAM = re.findall(r"^```c\n(.*?)^```$", EXAMPLE, re.M | re.S)[:2]
PRINTED = re.findall(r"^```text\n(.*?)^```$", EXAMPLE, re.M | re.S)[0]
LIBRARY = """
void roots(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = x[i];
    for (int k = 0; k < 60; k++) y[i] -= (y[i] + y[i] * y[i] * y[i] - x[i]) / (1 + 3 * y[i] * y[i]);
  }
}
"""
#: the product of two matrices with a factor, by a name and a type of dgemm
PRODUCT = """
#include <stdint.h>
#include <stdio.h>
typedef const char *C;
typedef const INTEGER *I;
typedef const double *X;
extern RESULT NAME(C, C, I, I, I, X, X, I, X, I, X, double *, I LENGTHS);
extern double __enzyme_autodiff(void *, double);
double f(double x) {
  double a[4] = {x, 1, 2, x}, c[4] = {0}, one = 1, none = 0;
  INTEGER n = 2;
  NAME("N", "N", &n, &n, &n, &one, a, &n, a, &n, &none, c, &n VALUES);
  return c[0] + c[1];
}
int main(void) { printf("%g\\n", __enzyme_autodiff((void *)f, 3)); }
"""
OPENBLAS = "/usr/lib/x86_64-linux-gnu/libopenblas.so"
needs_blas = pytest.mark.skipif(not Path(OPENBLAS).exists(), reason="no OpenBLAS")


def run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def build_with_roots(folder: Path, derivative: str) -> subprocess.CompletedProcess[str]:
    (folder / "roots.c").write_text(LIBRARY)
    (folder / "roots_derivative.c").write_text(derivative)
    (folder / "program.c").write_text(PROGRAM)
    clang = next(filter(shutil.which, ("clang-22", "clang")))
    assert run(folder, clang, "-O2", "-c", "roots.c").returncode == 0
    words = ("program.c", "roots.o", "--enzyme-derivatives=roots_derivative.c", "-o", "program")
    return run(folder, ENZYME_CC, "-O2", *words)


def test_example_of_the_page(tmp_path: Path) -> None:
    built = build_with_roots(tmp_path, DERIVATIVE)
    assert (built.returncode, built.stderr) == (0, "")
    assert run(tmp_path, "./program").stdout == PRINTED


def test_file_that_does_not_compile(tmp_path: Path) -> None:
    built = build_with_roots(tmp_path, DERIVATIVE.replace("W(y)", "W(z)"))
    assert built.returncode != 0
    assert "EZ0116" in built.stderr and "roots_derivative.c:" in built.stderr


def build_product(folder: Path, library: str, **words: str) -> subprocess.CompletedProcess[str]:
    chosen = {"INTEGER": "int", "RESULT": "void", "NAME": "dgemm_", "LENGTHS": "", "VALUES": "", **words}
    (folder / "product.c").write_text(re.sub("|".join(chosen), lambda match: chosen[match[0]], PRODUCT))
    return run(folder, ENZYME_CC, "-O1", "product.c", "-o", "product", library)


@needs_blas
@pytest.mark.parametrize(
    "words",
    [
        {},
        {"RESULT": "int"},
        {"LENGTHS": ", long, long", "VALUES": ", 1, 1"},
        {"LENGTHS": ", int, int", "VALUES": ", 1, 1"},
    ],
    ids=["plain", "result", "lengths", "short lengths"],
)
def test_declarations(tmp_path: Path, words: dict[str, str]) -> None:
    built = build_product(tmp_path, "-lopenblas", **words)
    assert (built.returncode, built.stderr) == (0, "")
    assert run(tmp_path, "./product").stdout == "8\n"  # c = {x^2 + 2, 2 x, ...}, x = 3


@needs_blas
def test_body_with_bitcode_prevails(tmp_path: Path) -> None:
    """The program's own dgemm_ has another meaning."""
    own = "void NAME(C a, C b, I m, I n, I k, X p, X q, I r, X s, I t, X u, double *c, I v) { c[0] = 5 * q[0]; }"
    built = build_product(tmp_path, "-lopenblas", LENGTHS=f"); {own.replace('NAME', 'dgemm_')} void ignored(void")
    assert built.returncode == 0, built.stderr
    assert run(tmp_path, "./product").stdout == "5\n"


@needs_blas
def test_other_functions_are_refused(tmp_path: Path) -> None:
    built = build_product(tmp_path, "-lopenblas", NAME="zgemm3m_")
    assert built.returncode != 0
    assert "zgemm3m_" in built.stderr and "EZ0302" in built.stderr


@needs_blas
def test_wrapper(tmp_path: Path) -> None:
    """A shared library as Armadillo's: it wraps dgemm_, and needs the library that has it."""
    type_ = ", ".join(f"void *{letter}" for letter in "abcdefghijklm")
    body = f"void dgemm_({type_}); void wrapper2_dgemm_({type_}) {{ dgemm_(a, b, c, d, e, f, g, h, i, j, k, l, m); }}"
    (tmp_path / "wrapper.c").write_text(body)
    clang = next(filter(shutil.which, ("clang-22", "clang")))
    made = run(tmp_path, clang, "-shared", "-fPIC", "wrapper.c", "-o", "libwrapper.so", "-lopenblas")
    assert made.returncode == 0, made.stderr
    built = build_product(tmp_path, "./libwrapper.so", NAME="wrapper2_dgemm_")
    assert (built.returncode, built.stderr) == (0, "")
    assert run(tmp_path, "./product").stdout == "8\n"


#: a solution with exchanges of rows, by 64-bit integers: the numbers of rows, and info
WIDE = """
#include <stdio.h>
extern void dgesv_(const long *, const long *, double *, const long *, long *, double *, const long *, long *);
extern double __enzyme_autodiff(void *, double);
double f(double x) {
  double a[4] = {0, x, 1, 3}, b[2] = {5, x};
  long n = 2, one = 1, rows[2] = {-1, -1}, info = -1;
  dgesv_(&n, &one, a, &n, rows, b, &n, &info);
  return b[0] * (rows[0] == 2 && rows[1] == 2 && info == 0);
}
int main(void) { printf("%g\\n", __enzyme_autodiff((void *)f, 2)); }
"""


@pytest.mark.skipif(not Path(OPENBLAS.replace(".so", "64.so")).exists(), reason="no OpenBLAS with 64-bit integers")
def test_wide_integers(tmp_path: Path) -> None:
    (tmp_path / "wide.c").write_text(WIDE)
    built = run(tmp_path, ENZYME_CC, "-O1", "wide.c", "-o", "wide", "-lopenblas64")
    assert (built.returncode, built.stderr) == (0, "")
    assert run(tmp_path, "./wide").stdout == "3.75\n"  # b[0] = (x - 15) / x
