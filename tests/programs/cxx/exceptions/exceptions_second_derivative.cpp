/* Second derivatives of a function that throws and catches, and of one that catches around a request. */
#include "../../check.h"

NOINLINE static double root(double x) {
  if (x < 0)
    throw x > -5 ? 2 : 10;
  return sqrt(x);
}

static double g(double *x) {
  double s = 1;
  for (int k = 0; k < 3; k++)
    try {
      s += root(x[k]) * s;
    } catch (int by) {
      s *= by * x[k] * x[0];
      if (by > 5)
        throw;
    }
  return s * s;
}

/* the derivative of g in a direction */
static double f(double *x) {
  double v[3] = {0.3, x[1], 0.8};
  try {
    return __enzyme_fwddiff((void *)g, x, v) * x[2];
  } catch (int by) {
    return x[0] * x[0] * by;
  }
}

int main() {
  CHECK(f, 0.5, -1.6, 0.7);
  CHECK(f, 0.5, -7.6, 0.7);
  return failures;
}
