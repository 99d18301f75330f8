/* A convergence loop: how often it runs depends on the data. */
#include "../check.h"

static double newton(double *x) {
  double r = x[0];
  while (fabs(r * r - x[0]) > 1e-14 * x[0])
    r = (r + x[0] / r) / 2;
  return r * x[1];
}

int main(void) {
  CHECK(newton, 7.0, 2.0);
  CHECK(newton, 1234.5, -1.0);
  return failures;
}
