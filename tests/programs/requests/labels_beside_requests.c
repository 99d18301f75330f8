/* Labels in a function that calls one with a request: both are compiled again, and so is the table of labels. */
#include "../check.h"

static double f(double *x) { return x[0] * x[0] * x[1]; }

NOINLINE void differentiate(double *x, double *dx) { __enzyme_autodiff((void *)f, x, dx); }

int main(void) {
  static const void *const table[] = {&&gradient, &&clear, &&halt};
  static const int program[] = {0, 1, 0, 2};
  double x[] = {2, 3}, dx[] = {0, 0};
  const int *at = program;
  goto *table[*at++];
gradient:
  differentiate(x, dx);
  goto *table[*at++];
clear:
  dx[0] = dx[1] = 0;
  goto *table[*at++];
halt:
  SAME(dx[0], 2 * x[0] * x[1]);
  SAME(dx[1], x[0] * x[0]);
  return failures;
}
