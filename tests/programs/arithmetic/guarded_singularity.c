/* Branches not taken give no nan: sqrt, log, pow and division at points where their derivatives are infinite. */
#include "../check.h"

static double guarded(double *x) {
  double r = x[0] > 0 ? sqrt(x[0]) : 0;
  double l = x[1] != 0 ? log(fabs(x[1])) * x[1] : 0;
  double d = x[0] == 0 ? x[2] : x[2] / x[0];
  double p = x[0] > 0 ? pow(x[0], 0.3) : x[2] * 2;
  return r + l + d * p;
}

int main(void) {
  double x[] = {0, 0, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)guarded, x, dx);
  SAME(dx[0], 0);
  SAME(dx[1], 0);
  SAME(dx[2], 12);
  CHECK(guarded, 1.5, 2.0, 3.0);
  return failures;
}
