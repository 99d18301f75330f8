/* Both sides of a select need one value: it must not move into the branch of either. */
#include "../check.h"

static double one_side(double *x) {
  double d = x[0] - x[1] * x[2];
  double positive = x[0] > x[1] ? d : -d * x[3];
  return positive * positive + (d > 0 ? 1 / d : d + 2);
}

int main(void) {
  CHECK(one_side, 3.0, 1.2, -0.7, 2.0);
  CHECK(one_side, 0.5, 1.2, 1.7, 2.0);
  return failures;
}
