/* expect: an argument of the derivative lies in memory that the global work points at, but not at its beginning */
#include "../check.h"

static double *work;
static double f(double *x) {
  work[0] = x[0] * x[1];
  return work[0] * work[4];
}

int main(void) {
  double dx[2] = {0};
  work = calloc(6, sizeof *work);
  __enzyme_autodiff((void *)f, work + 3, dx);
  return 0;
}
