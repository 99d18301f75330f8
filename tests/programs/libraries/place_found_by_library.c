/* A place within an array that a library function finds. */
#define _GNU_SOURCE
#include "../check.h"

static double run(double *x) {
  double a[4] = {x[0], 2, x[1], 2}, key = 2;
  double *p = memmem(a, sizeof a, &key, sizeof key);
  p[1] *= x[0];
  key = 7;
  return p[-1] * a[2] + (memmem(a, sizeof a, &key, sizeof key) ? 0 : p[0] * x[1]);
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
