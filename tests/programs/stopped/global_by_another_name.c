/* expect: the global here points at memory that carries a derivative under another name */
#include "../check.h"

static double a[2], b[2], *here;
NOINLINE static double f(double *x) {
  a[0] = x[0];
  return here[0] * x[1];
}

int main(int argc, char **argv) {
  double x[] = {0.5, 0.7}, dx[2] = {0};
  here = argc && argv ? a : b;
  __enzyme_autodiff((void *)f, x, dx);
  return 0;
}
