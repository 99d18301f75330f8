/* expect: LU factors have no derivative where a pivot other than the last one is zero
 * flags: -lopenblas */
#include "../check.h"

extern void dgetrf_(const int *, const int *, double *, const int *, int *, int *);

/* The determinant of a matrix whose first column is zero. */
static double f(double *x) {
  double a[4] = {x[0], x[1], 1, 2};
  int n = 2, pivots[2], info;
  dgetrf_(&n, &n, a, &n, pivots, &info);
  return pivots[0] == 1 ? a[0] * a[3] : -a[0] * a[3];
}

int main(void) {
  double x[] = {0, 0}, dx[2] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  return 0;
}
