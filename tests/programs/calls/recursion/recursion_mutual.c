/* Two functions that call each other. */
#include "../../check.h"

static double odd(double x, double *w, int n);

NOINLINE static double even(double x, double *w, int n) { return n == 0 ? x * w[0] : odd(x * w[n % 3], w, n - 1); }
NOINLINE static double odd(double x, double *w, int n) {
  w[1] += x * 0.1;
  return n == 0 ? sin(x) : even(x + w[n % 3] * x, w, n - 1);
}

static double run(double *x) { return even(x[0], x, 6) + odd(x[1], x, 3); }

int main(void) {
  CHECK(run, 0.9, 1.2, 0.7);
  return failures;
}
