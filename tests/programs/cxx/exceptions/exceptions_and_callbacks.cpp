/* A callback that makes the request, in a program whose objective catches exceptions and calls through pointers. */
#include "../../check.h"
#include <stdexcept>

typedef void binary(double *, double *);

static void add(double *to, double *from) { *to += *from * *from; }

static void add_below(double *to, double *from) {
  if (*from > 10)
    throw std::runtime_error("large");
  add(to, from);
}

static binary *volatile chosen[] = {add, add_below};

static double f(double *x) {
  double y[2] = {0, 0};
  try {
    chosen[0](&y[0], &x[0]);
    chosen[1](&y[1], &x[1]);
  } catch (const std::runtime_error &) {
    return 0;
  }
  return y[0] * y[1];
}

static void gradient(double *x, double *dx) { __enzyme_autodiff((void *)f, x, dx); }

static binary *volatile gradients[] = {gradient};

int main() {
  double x[] = {1.5, 0.5};
  double d[] = {0, 0};
  gradients[0](x, d);
  SAME(d[0], 2 * 1.5 * 0.25);
  SAME(d[1], 2 * 0.5 * 2.25);
  return failures;
}
