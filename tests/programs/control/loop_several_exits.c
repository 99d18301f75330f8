/* One loop left in four places. */
#include "../check.h"

static double leave(double *x) {
  double s = x[0];
  int i = 0;
  for (; i < 20; i++) {
    if (s > 50)
      break;
    s = s * x[1] + 1;
    if (s < -10)
      return s * s;
    s += sin(s);
    if (i == 13)
      goto out;
  }
  s += x[2] * i;
out:
  return s * x[2];
}

int main(void) {
  CHECK(leave, 1.0, 1.5, 2.0);
  CHECK(leave, 1.0, -3.0, 2.0);
  CHECK(leave, 1.0, 0.25, 2.0);
  CHECK(leave, 60.0, 0.25, 2.0);
  return failures;
}
