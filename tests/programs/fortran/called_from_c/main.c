/* C calls Fortran, which calls C back; both are differentiated. */
#include "../../check.h"

double energy(const double *x, int n);

double potential(double r) { return 1 / (r * r) + 0.1 * r; }

static double f(double *x) { return energy(x, 3) * x[0]; }

int main(void) {
  CHECK(f, 0.7, 1.1, 1.9);
  return failures;
}
