/* The program declares the shadow of a global itself, and only reads it: the derivative writes there. */
#include "../check.h"

double weight = 3, weight_shadow;
static double hidden = 2, hidden_shadow;

static double f(double *x) { return weight * x[0] * hidden; }

int main(void) {
  double x[1] = {5}, dx[1] = {0};
  weight *= x[0];
  hidden += x[0];
  __enzyme_autodiff((void *)f, x, dx);
  SAME(dx[0], 15 * 7);
  SAME(weight_shadow, 35);
  SAME(hidden_shadow, 75);
  return failures;
}
