/* Recursion on scalars only: Fibonacci-like, with the depth decided by the data. */
#include "../../check.h"

static double fall(double a, double b, int n) {
  if (n <= 0 || a > 50)
    return a * b;
  return fall(a * 1.3, b + a, n - 1) + fall(b * 0.5, a, n - 2);
}

static double run(double *x) { return fall(x[0], x[1], 7); }

int main(void) {
  CHECK(run, 0.9, 1.2);
  CHECK(run, 20.0, 1.2);
  return failures;
}
