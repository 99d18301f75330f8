/* Every arithmetic operator on long double. */
#include "../check.h"

static long double all(long double *x) {
  long double a = x[0] + x[1], b = a - x[2] * 3, c = -b / x[1];
  c *= x[0];
  c += 2;
  c -= x[2];
  c /= a;
  return 1 / c + a * b - (x[0] - x[0] * x[2]);
}

int main(void) {
  CHECK_LONG(all, 1.5L, 2.5L, -0.75L);
  return failures;
}
