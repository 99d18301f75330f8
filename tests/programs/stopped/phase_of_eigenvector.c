/* expect: an eigenvector's phase has no derivative where the component that fixes it is zero
 * flags: -lopenblas */
#include "../check.h"

typedef double _Complex Z;
extern void zheev_(const char *, const char *, const int *, Z *, const int *, double *, Z *, const int *, double *, int *);

/* The second vector of a diagonal matrix has a first component of 0, so any phase would do. */
static double f(double *x) {
  Z a[4] = {x[0], x[1], 0, 2}, work[8];
  double w[2], more[6];
  int n = 2, size = 8, info;
  zheev_("V", "L", &n, a, &n, w, work, &size, more, &info);
  return w[0] + __imag__ a[3];
}

int main(void) {
  double x[] = {1, 0}, dx[2] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  return 0;
}
