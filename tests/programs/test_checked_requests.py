"""--enzyme-check: mistakes in requests that only a run shows are told with the line of the request."""

from __future__ import annotations

import re

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


COMPARED = """\
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
struct both {
  double a;
  float b;
};
struct record {
  double a;
  int n;
  float b;
};
struct node {
  double a;
  struct node *next;
};
extern double __enzyme_autodiff(void *, ...);
extern struct both __enzyme_autodiff_both(void *, double, float);
static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * sin(x[i]);
  puts("sum");
  return s;
}
static void overwrites(double *x, float *y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i], x[i] *= 3;
}
static double by_value(double a, float b) { return 1 / a + b * b; }
static double square(double x) { return x * x; }
static double augmented(double x) { return x * x; }
static double wrong(double x, double adjoint) { return 3 * x * adjoint; }
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmented, (void *)wrong};
static double with_wrong_derivative(double x) { return square(x) + x; }
static double of_record(struct record *r) { return r->a * r->b * r->n; }
static double of_list(struct node *p) { return p->a * (p->next ? p->next->a : 1); }
static double ends(double x) { return x == 2 ? x : (abort(), 0); }
int main(void) {
  int n = 5;
  double *x = malloc(n * sizeof *x), *d = calloc(n, sizeof *d), e[2] = {0};
  float y[5] = {0}, dy[5] = {1, 2, 0, 0, 1};
  for (int i = 0; i < n; i++) x[i] = i - 1;
  for (int k = 0; k < 2; k++) __enzyme_autodiff((void *)sum, x, d, n);
  __enzyme_autodiff((void *)overwrites, x, d, y, dy, n);
  __enzyme_autodiff_both((void *)by_value, 2, 3);
  __enzyme_autodiff((void *)with_wrong_derivative, 2.0);
  struct record r = {2, 3, 4}, dr = {0};
  __enzyme_autodiff((void *)of_record, &r, &dr);
  struct node q = {2, 0}, dq = {0, 0};
  __enzyme_autodiff((void *)of_list, &q, &dq);
  __enzyme_autodiff((void *)ends, 2.0);
  printf("%g\\n", dr.a);
}
"""
AGREE = {42: "sum", 43: "overwrites", 44: "by_value", 47: "of_record"}


@pytest.mark.parametrize("level", [pytest.param("-O0", marks=pytest.mark.slow), "-O2"])
def test_gradients_are_compared_with_differences(builder: Builder, level: str) -> None:
    """Each request is compared once, what the function prints is printed once, and a wrong derivative is told."""
    (builder.folder / "f.c").write_text(COMPARED)
    done = builder.run(ENZYME_CC, level, "-g", "--enzyme-check=differences", "f.c", "-lm", "-o", "program")
    assert done == Result(0, ""), done.text
    text = builder.run("./program").text
    for line, name in AGREE.items():
        assert len(re.findall(rf"note: f.c:{line}:\d+: the gradient of {name} agrees with differences", text)) == 1
    assert re.search(r"warning: f.c:45:\d+: the gradient of with_wrong_derivative is .* give .*\[EZ0228\]", text)
    assert re.search(r"note: f.c:49:\d+: the gradient of of_list is not compared .*: the extent or the types", text)
    assert re.search(r"note: f.c:50:\d+: the gradient of ends is not compared .*: the function ends", text)
    assert text.count("sum\n") == 2 and "12\n" in text
