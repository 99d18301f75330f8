/* memcpy of doubles, of constant and of variable size. */
#include "../check.h"

static double copy(double *x) {
  double y[4], *z = malloc(4 * sizeof *z);
  int n = x[0] > 0 ? 3 : 4;
  memcpy(y, x, sizeof y);
  y[1] *= y[2];
  memcpy(z, y, sizeof y);
  memcpy(z + 4 - n, y, n * sizeof *y);
  z[0] *= z[3];
  memcpy(y, z, 0 * n * sizeof *y);
  memcpy(y + 1, z, 2 * sizeof *y);
  double s = y[0] * y[1] * y[2] * y[3] + z[1];
  free(z);
  return s;
}

int main(void) {
  CHECK(copy, 0.5, 1.5, 0.7, 1.1);
  CHECK(copy, -0.5, 1.5, 0.7, 1.1);
  return failures;
}
