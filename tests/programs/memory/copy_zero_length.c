/* Copies of no bytes, of a number of bytes found at run time, and that overlap either way. */
#include "../check.h"

static double run(double *x) {
  double a[6] = {x[0], x[1], x[2], 1, 2, 3};
  for (size_t n = 0; n < 4; n++) {
    memcpy(a, a + 4, 0 * n);
    memmove(a + 1, a, n * sizeof *a);
    memmove(a, a + 2, n * sizeof *a);
    a[n] *= x[0] + a[5 - n];
  }
  double s = 0;
  for (int i = 0; i < 6; i++)
    s += a[i] * a[i] * (i + 1);
  return s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
