/* && and || guard divisions and array ends. */
#include "../check.h"

static double guard(double *x) {
  double s = 0;
  for (int i = 0; i < 6; i++) {
    if (i < 4 && x[i] > 0 && 1 / x[i] < 10)
      s += log(x[i]);
    if (i >= 4 || (x[i] < 0.5 && x[i] != 0.25))
      s = s * x[i % 4] + 1;
    s += (i & 1 ? x[0] : x[1]) * (s > 2 ? x[2] : x[3] * s);
  }
  return s;
}

int main(void) {
  CHECK(guard, 0.4, 1.5, -0.7, 2.1);
  return failures;
}
