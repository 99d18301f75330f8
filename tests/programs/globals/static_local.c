/* A static local that is active, one that is a table, one that counts. */
#include "../check.h"

static int calls;

static double keep(double *x) {
  static double last[2];
  static const double table[] = {0.5, 1.5, 2.5};
  static int count;
  calls = ++count;
  last[0] = x[0] * x[1];
  last[1] = last[0] * x[2];
  last[0] += last[1] * table[1];
  return last[0] * last[1] * table[2];
}

int main(void) {
  double x[] = {0.5, 1.2, 0.7}, dx[3] = {0};
  __enzyme_autodiff((void *)keep, x, dx);
  SAME(calls, 1);
  CHECK(keep, 0.5, 1.2, 0.7);
  return failures;
}
