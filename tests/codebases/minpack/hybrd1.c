/* The root of a system of equations by MINPACK's hybrd1 (Fortran), which calls back; by the parameters of the system. */
#include "check.h"
extern void hybrd1_(void (*)(int *, double *, double *, int *), int *, double *, double *, double *, int *, double *, int *);

static double a, b;

static void residuals(int *n, double *x, double *f, int *flag) {
  (void)n, (void)flag;
  f[0] = exp(x[0]) + x[1] - a;
  f[1] = x[0] * x[0] + sin(x[1]) - b;
}

static double root(double *p) {
  double x[2] = {0.9, 0.3}, f[2], work[100], tolerance = 1e-14;
  int n = 2, size = 100, info;
  a = p[0], b = p[1];
  hybrd1_(residuals, &n, x, f, &tolerance, &info, work, &size);
  return x[0] + 2 * x[1];
}

int main(void) {
  CHECK(root, 3, 1.1);
  return failures;
}
