/* Loops that do not run at all, counted and not, around and inside loops that do. */
#include "../check.h"

static double none(double *x) {
  double s = x[0] * x[1];
  int n = (int)x[2];
  for (int i = 0; i < n; i++)
    s *= s * x[0];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < n + i - 1; j++)
      s += x[0] * x[j];
    for (double t = x[1]; t > 5; t /= 2)
      s += t;
  }
  return s;
}

int main(void) {
  CHECK(none, 1.5, 2.5, 0.5);
  CHECK(none, 1.5, 2.5, -3.5);
  CHECK(none, 1.5, 12.5, 2.5);
  return failures;
}
