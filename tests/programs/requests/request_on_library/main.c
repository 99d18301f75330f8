/* A request on a function of a static library, which calls another member and a global of a third. */
#include "../../check.h"

extern double energy(double *x, int n);

static double run(double *x) { return energy(x, 3); }

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  double x[] = {0.5, 1.2, 0.7}, dx[3] = {0};
  __enzyme_autodiff((void *)energy, x, dx, 3);
  for (int i = 0; i < 3; i++)
    same("energy", i, dx[i], check_difference(run, x, 3, i), 1e-7);
  return failures;
}
