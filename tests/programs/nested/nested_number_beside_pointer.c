/* Reverse over reverse: an inner derivative returns a tape and a number together, which are moved as one. The number
   must not get into shadow memory. */
#include "../check.h"

NOINLINE static double choose(double u, double v) {
  double w[2] = {u, v}, *copy = malloc(sizeof w);
  memcpy(copy, w, sizeof w);
  v = u * copy[1];
  free(copy);
  return w[(int)(v * 7) & 1];
}

static double f(double *x) {
  double chosen = choose(x[0], x[1]), sum = chosen * chosen;
  for (int i = 0; i < 3 && x[3] <= 2; i++)
    sum += choose(1.5, x[2]);
  return sum;
}

static double along(double *x, double *w) {
  double dx[4] = {0}, sum = 0;
  __enzyme_autodiff((void *)f, x, dx);
  for (int i = 0; i < 4; i++)
    sum += dx[i] * w[i];
  return sum;
}

int main(void) {
  double x[] = {0.612, -0.834, 1.127, 0.391}, w[] = {-0.2, 0.6, 0.8, -0.4}, dx[4] = {0};
  const double expected[] = {0, 2 * 0.6, 0, 0};
  __enzyme_autodiff((void *)along, x, dx, enzyme_const, w);
  for (int i = 0; i < 4; i++)
    same("Hessian times w", i, dx[i], expected[i], 1e-15);
  return failures;
}
