/* expect: atomic_outside_forward.c:7:3: a number that carries a derivative is stored in memory without a shadow
 * An atomic sum, in forward mode. */
#include "../check.h"

static double *sum;
static double f(double *x) {
  __atomic_fetch_add(sum, x[0], __ATOMIC_RELAXED);
  return *sum * x[0];
}

int main(int argc, char **argv) {
  double x[] = {0.5}, dx[] = {1}, place = 2;
  sum = argv ? &place : NULL;
  return __enzyme_fwddiff((void *)f, x, dx) == argc;
}
