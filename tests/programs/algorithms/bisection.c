/* Bisection followed by Newton: only the last part carries the derivative. */
#include "../check.h"

static double root(double *x) {
  double low = 0, high = 4;
  while (high - low > 1e-3) {
    double middle = (low + high) / 2;
    if (middle * middle * middle + x[0] * middle > x[1])
      high = middle;
    else
      low = middle;
  }
  double r = (low + high) / 2;
  for (int i = 0; i < 4; i++)
    r -= (r * r * r + x[0] * r - x[1]) / (3 * r * r + x[0]);
  return r;
}

int main(void) {
  CHECK(root, 1.3, 5.7);
  return failures;
}
