/* expect: store_outside.c:9:13: a number that carries a derivative is stored in memory without a shadow
 * A table on the stack of the caller: its size is unknown. */
#include "../check.h"

static double *work;
static int n;
static double f(double *x) {
  for (int i = 0; i < n; i++)
    work[i] = sin(x[0] * i);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += work[i] * x[1];
  return s;
}

int main(int argc, char **argv) {
  double x[] = {0.5, 0.7}, dx[2] = {0}, table[8] = {0};
  work = argv ? table : NULL, n = argc + 3;
  __enzyme_autodiff((void *)f, x, dx);
  return 0;
}
