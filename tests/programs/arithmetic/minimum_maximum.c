/* fmin, fmax, fabs, copysign, fdim and fma. */
#include "../check.h"

static double extremes(double *x) {
  return fmin(x[0], x[1]) * fmax(x[1], x[2]) + fabs(x[2]) * copysign(x[0], x[2]) + fdim(x[1], x[0]) * x[2] +
         fma(x[0], x[1], x[2]) + fmax(fmax(x[0] * x[1], x[2]), x[1] * x[1]);
}

int main(void) {
  CHECK(extremes, 1.5, 2.5, -3.5);
  CHECK(extremes, 2.5, 1.5, 3.5);
  return failures;
}
