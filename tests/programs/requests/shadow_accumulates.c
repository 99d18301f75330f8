/* Shadows of inputs are added to, by each request; the primal runs once. */
#include "../check.h"

static int runs;

static double f(double *x) {
  runs++;
  return x[0] * x[0] * x[1];
}

int main(void) {
  double x[] = {2, 3}, dx[2] = {100, 0};
  __enzyme_autodiff((void *)f, x, dx);
  SAME(runs, 1);
  __enzyme_autodiff((void *)f, x, dx);
  SAME(runs, 2);
  SAME(dx[0], 124);
  SAME(dx[1], 8);
  return failures;
}
