/* One function called with active and with constant arguments, each in turn. */
#include "../check.h"

static const double fixed[] = {0.5, 1.5, 2.5};

NOINLINE static double dot(const double *a, const double *b, double w) {
  double s = 0;
  for (int i = 0; i < 3; i++)
    s += a[i] * b[i] * w;
  return s;
}

static double run(double *x) {
  double three[] = {3, 2, 1};
  double s = dot(x, fixed, 2) + dot(fixed, x, x[0]) * dot(fixed, fixed, x[1]);
  return s * dot(x, x, s) + dot(fixed, fixed, 1) + dot(three, fixed, x[2]) + dot(three, x, 1);
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  return failures;
}
