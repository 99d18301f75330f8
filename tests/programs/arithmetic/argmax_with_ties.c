/* Maxima and their places, with equal numbers: the first, or the last, of them gets the derivative. */
#include "../check.h"

static double first(double *x) {
  int best = 0;
  for (int i = 1; i < 5; i++)
    if (x[i] > x[best])
      best = i;
  return x[best] * x[best];
}
static double last(double *x) {
  double m = x[0];
  int at = 0;
  for (int i = 1; i < 5; i++)
    if (x[i] >= m) {
      m = x[i];
      at = i;
    }
  return m * at;
}

int main(void) {
  double x[] = {1, 3, 3, 2, 3}, dx[5] = {0};
  __enzyme_autodiff((void *)first, x, dx);
  for (int i = 0; i < 5; i++)
    SAME(dx[i], i == 1 ? 6 : 0);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)last, x, dx);
  for (int i = 0; i < 5; i++)
    SAME(dx[i], i == 4 ? 4 : 0);
  CHECK(first, 1.0, 3.0, 2.5, 2.0, -3.0);
  CHECK(last, 1.0, 3.0, 2.5, 2.0, -3.0);
  return failures;
}
