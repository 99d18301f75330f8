"""--enzyme-check=differences: the first gradient of each request is compared with differences when the program runs."""

from __future__ import annotations

import re

import pytest

from .conftest import ENZYME_CC, Builder, Result

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
