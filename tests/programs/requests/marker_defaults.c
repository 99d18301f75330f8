/* Without markers: pointers are dup, floating-point numbers out, integers of all widths constant. */
#include "../check.h"

static double f(double *x, int n, char c, long l, double w, short h) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * w * c;
  return s * l + h;
}

int main(void) {
  double x[] = {1, 2}, dx[2] = {0};
  double dw = __enzyme_autodiff((void *)f, x, dx, 2, 3, 4L, 0.5, 6);
  SAME(dw, 36);
  SAME(dx[0], 6);
  SAME(dx[1], 6);
  return failures;
}
