"""-fprofile-instr-generate: what llvm-cov says of a program with a gradient."""

from __future__ import annotations

import re
import shutil

import pytest

from .conftest import CLANG, ENZYME_CC, Builder

SOURCE = """
#include <math.h>
extern double __enzyme_autodiff(void *, ...);
static double part(double x) {
  if (x > 100)
    return exp(x);
  return sin(x);
}
static double unused(double x) {
  return x;
}
double f(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += i % 3 ? part(x[i & 1]) : x[0] * x[1];
  return s;
}
int main(int argc, char **argv) {
  double x[] = {1, 2}, dx[] = {0, 0};
  if (argc > 5)
    return unused(2);
  f(x, 10);
  __enzyme_autodiff((void *)f, x, dx, 30);
  return !(fabs(dx[0] - 20 - 10 * cos(1)) < 1e-12);
}
"""
#: the lines of SOURCE that are run, and how often: once by the primal alone, once by the gradient
COUNTS = {4: 26, 5: 26, 6: 0, 7: 26, 9: 0, 10: 0, 12: 2, 13: 2, 14: 42, 15: 40, 16: 2, 18: 1, 21: 0, 22: 1, 24: 1}


@pytest.mark.skipif(shutil.which("llvm-cov-22") is None, reason="no llvm-cov")
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_counts(builder: Builder, level: str) -> None:
    (builder.folder / "counted.c").write_text(SOURCE)
    flags = (level, "-fprofile-instr-generate", "-fcoverage-mapping")
    if builder.run(CLANG, *flags, "-xc", "/dev/null", "-shared", "-o", "library").status:
        pytest.skip("no runtime library of profiles")
    built = builder.run(ENZYME_CC, *flags, "counted.c", "-o", "program", "-lm")
    assert built.status == 0, built.text
    assert builder.run("./program").status == 0
    merged = builder.run("llvm-profdata-22", "merge", "default.profraw", "-o", "merged")
    assert merged.status == 0, merged.text
    shown = builder.run("llvm-cov-22", "show", "./program", "-instr-profile=merged").text
    counts = {int(line): int(n) for line, n in re.findall(r"^ +(\d+)\| +(\d+)\|", shown, re.MULTILINE)}
    assert {line: counts.get(line) for line in COUNTS} == COUNTS, shown
