/* The root of a system of equations, found by hybrd1 (Powell's hybrid method), differentiated by its parameters. */
#include "check.h"
#include <cminpack.h>

struct equations { double a, b; };

static int residuals(void *p, int n, const double *x, double *f, int iflag) {
  const struct equations *e = p;
  (void)n; (void)iflag;
  f[0] = exp(x[0]) + x[1] - e->a;
  f[1] = x[0] * x[0] + sin(x[1]) - e->b;
  return 0;
}

static double root(double *p) {
  struct equations e = {p[0], p[1]};
  double x[2] = {0.9, 0.3}, f[2], work[100];
  hybrd1(residuals, &e, 2, x, f, 1e-14, work, 100);
  return x[0] + 2 * x[1];
}

int main(void) {
  CHECK(root, 3, 1.1);
  return failures;
}
