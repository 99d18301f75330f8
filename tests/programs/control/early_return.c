/* Several returns, some before anything was computed. */
#include "../check.h"

static double early(double *x) {
  if (x[0] < 0)
    return x[1];
  double s = x[0] * x[1];
  if (s > 10)
    return 7;
  for (int i = 0; i < 5; i++) {
    s += x[2] * s;
    if (s > 20)
      return s * x[0];
  }
  return sqrt(s);
}

int main(void) {
  CHECK(early, -1.0, 2.0, 3.0);
  CHECK(early, 8.0, 2.0, 3.0);
  CHECK(early, 1.0, 2.0, 3.0);
  CHECK(early, 1.0, 2.0, 0.1);
  return failures;
}
