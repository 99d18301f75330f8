/* The rounding mode changed inside, and code compiled for it. */
#include "../check.h"
#include <fenv.h>
#pragma STDC FENV_ACCESS ON

static double run(double *x) {
  int before = fegetround();
  fesetround(FE_UPWARD);
  double up = x[0] * x[1] + x[2] / x[0] + rint(x[1]);
  fesetround(before);
  feclearexcept(FE_ALL_EXCEPT);
  double r = sin(up) * sqrt(x[1]) - fabs(x[2]);
  if (fetestexcept(FE_DIVBYZERO))
    r = 0;
  return up > r ? up * r : up - r;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
