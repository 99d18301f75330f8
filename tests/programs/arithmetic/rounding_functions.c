/* floor, ceil, trunc and rint, which are piecewise constant; fmod and remainder. */
#include "../check.h"

static double round_it(double *x) {
  double a = x[0], b = x[1];
  return floor(a) * b + ceil(b) * a + trunc(a * b) + rint(a) * b + nearbyint(b) + round(a) * a + fmod(a * 5, b) +
         remainder(a, b);
}

int main(void) {
  CHECK(round_it, 3.3, 1.7);
  CHECK(round_it, -3.3, 1.2);
  return failures;
}
