/* expect: an argument of the derivative lies in the global x
 * What f reads of it by name would be lost: its derivative is no part of dx. */
#include "../check.h"

static double x[2];
NOINLINE static double f(double *y) { return y[0] * x[1]; }

int main(int argc, char **argv) {
  double dx[2] = {0};
  x[0] = argc, x[1] = argv ? 0.7 : 0;
  __enzyme_autodiff((void *)f, x, dx);
  return 0;
}
