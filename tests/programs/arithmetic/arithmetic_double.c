/* Every arithmetic operator on double. */
#include "../check.h"

static double all(double *x) {
  double a = x[0] + x[1], b = a - x[2] * 3, c = -b / x[1];
  c *= x[0];
  c += 2;
  c -= x[2];
  c /= a;
  return 1 / c + a * b - (x[0] - x[0] * x[2]) + +c;
}

int main(void) {
  CHECK(all, 1.5, 2.5, -0.75);
  CHECK(all, -3.0, 0.5, 4.0);
  return failures;
}
