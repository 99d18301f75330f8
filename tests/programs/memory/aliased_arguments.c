/* The same memory passed as input and as output, and twice as input. */
#include "../check.h"

NOINLINE static void scale(double *out, const double *in, int n) {
  for (int i = 0; i < n; i++)
    out[i] = in[i] * in[n - 1 - i];
}

static double alias(double *x) {
  scale(x, x, 4);
  scale(x + 1, x, 2);
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += x[i] * x[i];
  return s;
}

static double dot(double *a, double *b) { return a[0] * b[0] + a[1] * b[1] * a[0]; }

int main(void) {
  CHECK(alias, 0.5, 1.5, 0.7, 1.1);
  double x[] = {2, 3}, dx[2] = {0};
  __enzyme_autodiff((void *)dot, x, dx, x, dx);
  SAME(dx[0], 2 * 2 + 9);
  SAME(dx[1], 2 * 3 * 2);
  return failures;
}
