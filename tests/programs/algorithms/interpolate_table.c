/* Binary search in a table that is active itself. */
#include "../check.h"

static double interpolate(const double *knots, const double *values, int n, double t) {
  int low = 0, high = n - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (knots[middle] > t)
      high = middle;
    else
      low = middle;
  }
  double u = (t - knots[low]) / (knots[high] - knots[low]);
  return values[low] * (1 - u) + values[high] * u;
}

static double run(double *x) {
  double knots[5], s = 0;
  for (int i = 0; i < 5; i++)
    knots[i] = i + 0.1 * x[i] * x[i];
  for (double t = 0.25; t < 3.5; t += 0.5)
    s += interpolate(knots, x, 5, t) * t;
  return s * interpolate(knots, x, 5, x[0] + 1);
}

int main(void) {
  CHECK(run, 0.53, 1.21, 0.74, 0.33, 0.92);
  return failures;
}
