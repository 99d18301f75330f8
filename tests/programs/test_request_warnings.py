"""Mistakes in requests that are sure are warnings of the link, with the line; what may be meant is not told."""

from __future__ import annotations

import re

from .conftest import ENZYME_CC, Builder

HEAD = """\
#include <stdio.h>
#include <stdlib.h>
extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);
static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}
static void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
}
static double doubled(int n) { return n * 2.0; }
static double factor;
static double far(double **x) { return **x; }
static double scaled(int n) { return n * factor; }
"""
#: what a function does, and the option of the warning; "" for none
CASES = (
    ("__enzyme_autodiff((void *)doubled, 3);", "nothing-active"),
    ("__enzyme_autodiff((void *)sum, enzyme_const, x, 4);", "nothing-active"),
    ("__enzyme_autodiff((void *)sum, enzyme_dup, x, x, 4);", "own-shadow"),
    ("double d[4]; __enzyme_autodiff((void *)sum, x, d, 4); use(d);", "unset-shadow"),
    ("double *d = malloc(32); __enzyme_autodiff((void *)sum, x, d, 4); use(d); free(d);", "unset-shadow"),
    ("double d[3] = {0}; __enzyme_autodiff((void *)sum, x, d, 4); use(d);", "small-shadow"),
    ("double *d = calloc(3, 8); __enzyme_autodiff((void *)sum, x, d, 4); use(d); free(d);", "small-shadow"),
    ("float d[8] = {0}; __enzyme_autodiff((void *)sum, x, d, 4); use(d);", "shadow-type"),
    ("double d[4] = {0}, e[4] = {0}; __enzyme_autodiff((void *)squares, x, d, y, e, 4); use(d);", "zero-seed"),
    ("double *d = calloc(4, 8), *e = calloc(4, 8); __enzyme_autodiff((void *)squares, x, d, y, e, 4);", "zero-seed"),
    ('double d[4] = {0}; if (getenv("NEVER")) __enzyme_autodiff((void *)far, x, d);', "argument-type"),
    ("double d[4] = {0}, *p = x, *q = d; __enzyme_autodiff((void *)far, &p, &q);", ""),
    ("__enzyme_autodiff((void *)scaled, 3); factor++;", ""),
    ("double d[4] = {0}, e[4] = {1}; __enzyme_autodiff((void *)squares, x, d, y, e, 4); use(d);", ""),
    ("double d[4] = {1}, e[4]; __enzyme_fwddiff((void *)squares, x, d, y, e, 4); use(e);", ""),
    ("double d[4]; for (int i = 0; i < 4; i++) d[i] = 0; __enzyme_autodiff((void *)sum, x, d, 4); use(d);", ""),
    ("double d[8] = {0}; __enzyme_autodiff((void *)sum, x, d + 1, 4); use(d);", ""),
    ("double z[8] = {1}; __enzyme_autodiff((void *)sum, z, z + 4, 4); use(z);", ""),
)
USE = '#define use(d) printf("%g\\n", d[0])\n'


def program() -> str:
    """One function for each case, on a line of its own, behind `HEAD` and `USE`."""
    body = "double x[4] = {1, 2, 3, 4}, y[4] = {0};"
    functions = [f"void f{k}(void) {{ {body} {text} use(y); }}" for k, (text, _) in enumerate(CASES)]
    calls = " ".join(f"f{k}();" for k in range(len(CASES)))
    return "\n".join([HEAD + USE + functions[0], *functions[1:], f"int main(void) {{ {calls} }}\n"])


def test_mistakes_are_told_with_their_lines(builder: Builder) -> None:
    (builder.folder / "f.c").write_text(program())
    told = builder.run(ENZYME_CC, "-O1", "-g", "f.c", "-o", "program")
    first = (HEAD + USE).count("\n") + 1
    wanted = [(first + k, name) for k, (_, name) in enumerate(CASES) if name]
    found = re.findall(r"^f\.c:(\d+):\d+: warning: .* \[EZ022\d\] \[-Wenzyme-(.*)\]$", told.text, re.M)
    assert told.status == 0 and [(int(line), name) for line, name in found] == wanted, told.text
    off = builder.run(ENZYME_CC, "-O1", "-Wno-enzyme", "-Werror=enzyme-own-shadow", "f.c", "-o", "program")
    assert off.status == 1 and off.text.count("[EZ022") == 1
    assert "error: the shadow of argument 1 of sum is the argument itself [EZ0222] [-Werror,-Wenzyme-own" in off.text
