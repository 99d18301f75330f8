/* The minimum of a function by L-BFGS with a callback, by the parameters of the function. */
#define TOLERANCE 1e-4 /* it stops near the optimum */
#include "check.h"
#include <lbfgs.h>

static lbfgsfloatval_t objective(void *data, const lbfgsfloatval_t *v, lbfgsfloatval_t *gradient, const int n,
                                 const lbfgsfloatval_t step) {
  const double *p = data;
  double a = v[0] - p[0], b = v[1] - p[1] * v[0];
  (void)n, (void)step;
  gradient[0] = 4 * a * a * a + 2 * a - 2 * p[1] * b;
  gradient[1] = 2 * b;
  return a * a * a * a + a * a + b * b;
}

static double minimum(double *p) {
  double v[2] = {1, 1}, least;
  lbfgs_parameter_t parameter;
  lbfgs_parameter_init(&parameter);
  parameter.epsilon = 1e-10;
  lbfgs(2, v, &least, objective, NULL, p, &parameter);
  return v[0] + 0.5 * v[1] * v[1];
}

int main(void) {
  CHECK(minimum, 0.7, 1.3);
  return failures;
}
