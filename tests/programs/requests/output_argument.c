/* Output memory: its shadow is the seed, and is zero after; what the primal does not overwrite stays. */
#include "../check.h"

static void two(const double *x, double *y) {
  y[0] = x[0] * x[1];
  y[1] = sin(x[0]) + y[2];
}

int main(void) {
  double x[] = {0.5, 1.5}, dx[2] = {100, 0}, y[3] = {0, 0, 4}, dy[3] = {2, 3, 0.5};
  __enzyme_autodiff((void *)two, x, dx, y, dy);
  SAME(dx[0], 100 + 2 * 1.5 + 3 * cos(0.5));
  SAME(dx[1], 2 * 0.5);
  SAME(dy[0], 0);
  SAME(dy[1], 0);
  SAME(dy[2], 3.5);
  SAME(y[0], 0.75);
  SAME(y[1], sin(0.5) + 4);
  return failures;
}
