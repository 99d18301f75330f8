/* enzyme_dupnoneed: an output whose contents the program does not need. */
#include "../check.h"

static void f(const double *x, double *y) {
  for (int i = 0; i < 3; i++)
    y[i] = x[i] * x[(i + 1) % 3];
}

int main(void) {
  double x[] = {1, 2, 3}, dx[3] = {0}, y[3] = {0}, dy[] = {1, 10, 100};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dupnoneed, y, dy);
  SAME(dx[0], 2 * 1 + 3 * 100);
  SAME(dx[1], 1 * 1 + 3 * 10);
  SAME(dx[2], 2 * 10 + 1 * 100);
  for (int i = 0; i < 3; i++)
    SAME(dy[i], 0);
  return failures;
}
