/* Paths that end in abort, exit or assert are not taken. */
#include "../check.h"
#include <assert.h>

NOINLINE static double checked(double a, double b) {
  if (b == 0) {
    fprintf(stderr, "division of %g by zero\n", a);
    abort();
  }
  return a / b;
}

static double run(double *x) {
  assert(x[0] != 0);
  double s = checked(x[0], x[1]);
  for (int i = 0; i < 3; i++) {
    if (isnan(s))
      exit(7);
    s = checked(s * x[2], x[i]);
    assert(s < 1e10);
  }
  return s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  return failures;
}
