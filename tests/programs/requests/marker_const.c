/* enzyme_const: pointers, scalars and integers without derivative. */
#include "../check.h"

static double f(double *a, double *b, double c, double d, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i] * c + d * a[i];
  return s;
}

int main(void) {
  double a[] = {1, 2}, da[2] = {0}, b[] = {3, 4};
  double dd = __enzyme_autodiff((void *)f, enzyme_dup, a, da, enzyme_const, b, enzyme_const, 5.0, enzyme_out, 6.0,
                                enzyme_const, 2);
  SAME(dd, 3);
  SAME(da[0], 3 * 5 + 6);
  SAME(da[1], 4 * 5 + 6);
  return failures;
}
