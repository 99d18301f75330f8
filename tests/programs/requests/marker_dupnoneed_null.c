/* enzyme_dupnoneed with null: f only writes there, directly, by memset and memcpy, in a loop, and through a function. */
#include "../check.h"

static NOINLINE void scale(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i] * x[i];
  if (n > 2)
    scale(x, y + n / 2, n / 2);
}

static void f(const double *x, double *y) {
  double t[2] = {x[0] * x[1], x[1]};
  memset(y, 0, 8 * sizeof *y);
  memcpy(y + 4, t, sizeof t);
  scale(x, y, 4);
}

static double g(const double *x, double *y) {
  double s = 0;
  for (int i = 0; i < 4; i++) {
    y[i] = x[i] * x[i];
    s += y[i];
  }
  return s;
}

static NOINLINE void gradient(const double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dupnoneed, y, dy);
}

int main(void) {
  double x[] = {1, 2, 3, 4}, dx[4] = {0}, dy[8] = {1, 10, 100, 1000, 10000, 100000, 7, 8};
  gradient(x, dx, NULL, dy);
  SAME(dx[0], 4 * 1 * (1 + 100) + 10000 * 2);
  SAME(dx[1], 4 * 2 * (10 + 1000) + 10000 * 1 + 100000);
  for (int i = 0; i < 8; i++)
    SAME(dy[i], 0);
  double out[4] = {0}, dout[4] = {0};
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)g, enzyme_dup, x, dx, enzyme_dupnoneed, out, dout);
  for (int i = 0; i < 4; i++)
    SAME(dx[i], 2 * x[i]);
  return failures;
}
