/* enzyme_noret and enzyme_const_return: the result is not seeded; enzyme_active_return: it is. */
#include "../check.h"

static double f(double *x, double *y) {
  y[0] = x[0] * x[0];
  return 5 * x[0];
}

static void once(int which, double want) {
  double x = 3, dx = 0, y = 0, dy = 1;
  switch (which) {
  case 0:
    __enzyme_autodiff((void *)f, enzyme_noret, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy);
    break;
  case 1:
    __enzyme_autodiff((void *)f, enzyme_const_return, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy);
    break;
  case 2:
    __enzyme_autodiff((void *)f, enzyme_active_return, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy);
    break;
  default:
    __enzyme_autodiff((void *)f, &x, &dx, &y, &dy);
  }
  SAME(dx, want);
  SAME(y, 9);
  SAME(dy, 0);
}

int main(void) {
  once(0, 6);
  once(1, 6);
  once(2, 11);
  once(3, 11);
  return failures;
}
