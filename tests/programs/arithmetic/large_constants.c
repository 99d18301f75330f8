/* The gradient adds a number of ordinary size to a difference from a large constant: none of its digits are lost. */
#include "../check.h"
#include <float.h>

static double days(double *x) { return x[0] * 0.3 + x[0] * (x[1] - 2451545.0); }
static double sums(double *x) {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += x[i] * 0.7 + x[i] * (x[i] * x[i] + 1e9 - 1e9);
  return sum;
}
static double days_since(double x, double t, double epoch) { return x * 1e-3 + x * (t - epoch); }
static double left(double *x) { return (DBL_MAX - x[0] * 1e300) * 1e-300 + x[0] * (FLT_MAX - (float)x[1]) * 1e-36; }

int main(void) {
  double x[] = {2.3, 2451545.0 + 0x1p-20}, dx[2] = {0};
  __enzyme_autodiff((void *)days, x, dx);
  same("days", 0, dx[0], 0.3 + 0x1p-20, 1e-15);
  same("days", 1, dx[1], 2.3, 1e-15);
  double one[] = {1, 0};
  same("days in forward mode", 0, __enzyme_fwddiff((void *)days, x, one), 0.3 + 0x1p-20, 1e-15);
  double y[] = {0.6, -0.8, 1.1}, dy[3] = {0};
  __enzyme_autodiff((void *)sums, y, dy);
  for (int i = 0; i < 3; i++)
    same("sums", i, dy[i], 0.7 + (y[i] * y[i] + 1e9 - 1e9) + 2 * y[i] * y[i], 1e-15);
  double t = x[1];
  double passed = __enzyme_autodiff((void *)days_since, enzyme_out, x[0], enzyme_const, t, enzyme_const, 2451545.0);
  same("days since", 0, passed, 1e-3 + 0x1p-20, 1e-15);
  double far[] = {1.5, 1e36}, dfar[2] = {0};
  __enzyme_autodiff((void *)left, far, dfar);
  same("left", 0, dfar[0], -1 + (FLT_MAX - 1e36f) * 1e-36, 1e-13);
  same("left", 1, dfar[1], -1.5e-36, 1e-13);
  return failures;
}
