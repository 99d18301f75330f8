/* Functions that are passed null in place of memory by some calls: the gradient of an objective, bounds, work space. */
#include "../check.h"

typedef double (*objective)(int n, const double *x, double *gradient, const double *data);

NOINLINE static double bowl(int n, const double *x, double *gradient, const double *data) {
  double value = 0;
  for (int i = 0; i < n; i++) {
    value += data[i] * x[i] * x[i] * x[i];
    if (gradient)
      gradient[i] = 3 * data[i] * x[i] * x[i];
  }
  return value;
}
NOINLINE static double ridge(int n, const double *x, double *gradient, const double *data) {
  double value = sin(x[0] * data[0]);
  if (gradient)
    for (int i = 0; i < n; i++)
      gradient[i] = i ? 0.25 * data[i] : data[0] * cos(x[0] * data[0]);
  return value;
}

NOINLINE static double step(int n, double *x, const double *lower, const double *scale, objective f, const double *data) {
  double gradient[3], before = f(n, x, 0, data);
  f(n, x, gradient, data);
  for (int i = 0; i < n; i++) {
    x[i] -= 0.1 * gradient[i] / (scale ? scale[i] : 1);
    if (lower && x[i] < lower[i])
      x[i] = lower[i];
  }
  return before - f(n, x, 0, data);
}

static double run(double *data) {
  double x[] = {1.5, 0.7, 0.9}, sum = 0;
  double lower[] = {data[0] * 0.4, -3, 0.85 * data[2]}, scale[] = {2 * data[1], 1.5, 1.7};
  sum += step(3, x, 0, 0, bowl, data);
  sum += step(3, x, lower, 0, ridge, data);
  sum += step(3, x, 0, scale, ridge, data);
  sum += step(3, x, lower, scale, bowl, data);
  return sum + x[0] * x[1] * x[2];
}

int main(void) {
  CHECK(run, 0.8, 0.6, 1.1);
  return failures;
}
