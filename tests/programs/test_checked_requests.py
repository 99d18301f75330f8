"""--enzyme-check: mistakes in requests that only a run shows are told with the line of the request."""

from __future__ import annotations

import pytest

from .conftest import ENZYME_CC, Builder, Result

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern double __enzyme_autodiff(void *, ...);
static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}
static void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
}
static double inverse(double x) { return 1 / x; }
static double inverses(const double *x) { return 1 / x[0] + 1 / x[1]; }
int main(int count, char **words) {
  const char *word = words[1];
  int n = atoi(words[2]);
  double *x = malloc(n * sizeof *x), *d = calloc(strcmp(word, "small") ? n : n - 1, sizeof *d);
  double *y = calloc(n, sizeof *y), *e = calloc(n, sizeof *e);
  for (int i = 0; i < n; i++) x[i] = i + 1;
  double pair[2] = {2, 0}, shadow[2] = {0, 0};
  if (!strcmp(word, "shadow")) __enzyme_autodiff((void *)inverses, pair, shadow); // line 22
  else if (!strcmp(word, "infinite")) {
    __enzyme_autodiff((void *)inverse, n - 4.0); // line 24
  } else if (!strcmp(word, "null")) {
    __enzyme_autodiff((void *)sum, x, count > 3 ? x : 0, n); // line 26
  } else if (!strcmp(word, "own")) {
    __enzyme_autodiff((void *)sum, x, count > 3 ? d : x, n); // line 28
  } else if (!strcmp(word, "zero") || !strcmp(word, "seeded")) {
    if (!strcmp(word, "seeded")) e[0] = 1;
    for (int k = 0; k < n; k++)
      __enzyme_autodiff((void *)squares, x, d, y, e, n); // line 32
  } else {
    __enzyme_autodiff((void *)sum, x, d, n); // line 34
  }
  printf("%g\\n", d[0]);
}
"""
#: what is told; then the program ends
FAULTS = {
    "shadow": "f.c:22:32: the shadow of argument 1 of inverses holds -inf, 8 bytes behind its start",
    "infinite": "f.c:24:5: a derivative of inverse is infinite or not a number",
    "null": "f.c:26:5: the shadow of argument 1 of sum is null",
    "own": "f.c:28:5: the shadow of argument 1 of sum is the argument itself",
    "small": "f.c:34:5: the shadow of argument 1 of sum has 24 bytes, the argument has 32",
}
NO_SEED = "enzyme-cc: warning: f.c:32:7: all shadows are zero, and squares returns no number [EZ0226]\n"


@pytest.mark.parametrize("level", [pytest.param("-O0", marks=pytest.mark.slow), "-O2"])
def test_mistakes_end_the_program(builder: Builder, level: str) -> None:
    (builder.folder / "f.c").write_text(PROGRAM)
    done = builder.run(ENZYME_CC, level, "-g", "--enzyme-check", "f.c", "-o", "program")
    assert done == Result(0, ""), done.text
    for word, told in FAULTS.items():
        done = builder.run("./program", word, "4")
        assert done.status != 0 and done.text == f"enzyme-cc: {told} [EZ0227]\n", done.text
    assert builder.run("./program", "right", "4") == Result(0, "2\n")
    assert builder.run("./program", "seeded", "4") == Result(0, "2\n")
    assert builder.run("./program", "zero", "4") == Result(0, "0\n" + NO_SEED)
