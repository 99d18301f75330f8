/* A function that calls itself, before and after it overwrites memory. */
#include "../../check.h"

NOINLINE static double climb(double *x, int n) {
  if (n == 0)
    return 1;
  double r = climb(x, n - 1);
  x[n] = x[n] * r;
  double s = n > 1 ? climb(x, n - 2) : x[0];
  return sin(r) + x[n] * x[n - 1] * s;
}

static double run(double *x) { return climb(x, 4) * x[2]; }

int main(void) {
  CHECK(run, 0.9, 1.2, 0.7, 0.4, 1.1);
  return failures;
}
