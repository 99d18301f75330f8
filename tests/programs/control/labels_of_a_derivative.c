/* Labels of a function that derivatives alone call: LLVM would drop it, and with it the places of the labels. */
#include "../check.h"

static double f(const double *x) {
  static const void *const table[] = {&&multiply, &&add, &&halt};
  static const int program[] = {0, 1, 0, 2};
  const int *at = program;
  double s = 1;
  goto *table[*at++];
multiply:
  s *= x[0];
  goto *table[*at++];
add:
  s += x[1];
  goto *table[*at++];
halt:
  return s * x[2];
}

int main(void) {
  double x[] = {2, 3, 5}, dx[] = {0, 0, 0};
  __enzyme_autodiff((void *)f, x, dx);
  SAME(dx[0], (2 * x[0] + x[1]) * x[2]);
  SAME(dx[1], x[0] * x[2]);
  SAME(dx[2], (x[0] + x[1]) * x[0]);
  return failures;
}
