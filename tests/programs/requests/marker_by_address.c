/* Markers given by address, by value, and after definition by the user. */
#include "../check.h"

int enzyme_dup, enzyme_const, enzyme_out;
extern void __enzyme_autodiff_void(void *, ...);

static double f(double *x, double *y, double z) { return x[0] * y[0] * z; }

int main(void) {
  double x = 2, dx = 0, y = 3;
  SAME(__enzyme_autodiff((void *)f, &enzyme_dup, &x, &dx, &enzyme_const, &y, &enzyme_out, 5.0), 6);
  SAME(dx, 15);
  dx = 0;
  __enzyme_autodiff_void((void *)f, enzyme_dup, &x, &dx, &enzyme_const, &y, enzyme_const, 5.0);
  SAME(dx, 15);
  return failures;
}
