/* memset of active memory cuts the derivative of the old contents. */
#include "../check.h"

static double fill(double *x) {
  double y[6], *z = malloc(6 * sizeof *z), s = 0;
  for (int i = 0; i < 6; i++)
    y[i] = z[i] = x[i % 3] * (i + 1);
  s += y[0] * y[1];
  memset(y, 0, 3 * sizeof *y);
  memset(z + (x[0] > 0 ? 2 : 4), 0, 2 * sizeof *z);
  y[1] = z[1] * x[1];
  for (int i = 0; i < 6; i++)
    s += (y[i] + 2) * (z[i] + 3);
  free(z);
  return s;
}

int main(void) {
  CHECK(fill, 0.5, 1.5, 0.7);
  CHECK(fill, -0.5, 1.5, 0.7);
  return failures;
}
