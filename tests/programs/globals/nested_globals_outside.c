/* Second derivatives, where globals point at tables that were made before: forward over reverse, reverse over reverse,
 * reverse over forward. */
#include "../check.h"

static double *weights, *rows[6], squares[3];

NOINLINE static double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}
static double table(double *x) {
  for (int i = 0; i < 3; i++)
    squares[i] = x[i] * x[i];
  double s = dot(x, weights, 3) * dot(x, squares, 3);
  for (int i = 0; i < 6; i++)
    s += dot(rows[i], x, 3) * dot(x, x, 2);
  return s;
}

static double of_gradient(double *x) {
  double g[3] = {0}, at[3];
  memcpy(at, x, sizeof at);
  __enzyme_autodiff((void *)table, enzyme_dup, at, g);
  return g[0] * g[1] + g[2];
}
static double of_tangent(double *x) {
  double v[3] = {1, 2, 3}, at[3];
  memcpy(at, x, sizeof at);
  return __enzyme_fwddiff((void *)table, enzyme_dup, at, v);
}

int main(void) {
  for (int round = 0; round < 2; round++) {
    free(weights);
    weights = malloc((3 + round) * sizeof *weights);
    for (int i = 0; i < 3 + round; i++)
      weights[i] = 1 + 0.5 * i - round;
    for (int i = 0; i < 6; i++)
      rows[i] = weights + (i % 2 ? round : 0);
    CHECK(of_gradient, 0.4, -0.7, 1.2);
    CHECK(of_tangent, 0.4, -0.7, 1.2);
  }
  free(weights);
  return failures;
}
