/* A least-squares fit by MINPACK's lmdif1 (Fortran, differences inside), by the measured values. */
#define TOLERANCE 1e-4 /* its Jacobian is made of differences, and it stops near the optimum */
#include "check.h"
enum { M = 10 };
extern void lmdif1_(void (*)(int *, int *, double *, double *, int *), int *, int *, double *, double *, double *, int *, int *,
                    double *, int *);

static const double *measured;

static void model(int *m, int *n, double *x, double *f, int *flag) {
  (void)n, (void)flag;
  for (int i = 0; i < *m; i++)
    f[i] = x[0] * exp(-x[1] * 0.25 * i) - measured[i];
}

static double rate(double *y) {
  double x[2] = {1, 1}, f[M], work[M * 2 + 5 * 2 + M], tolerance = 1e-14;
  int m = M, n = 2, size = sizeof work / sizeof *work, pivots[2], info;
  measured = y;
  lmdif1_(model, &m, &n, x, f, &tolerance, &info, pivots, work, &size);
  return x[1] + 0.5 * x[0];
}

int main(void) {
  CHECK(rate, 2.0, 1.68, 1.41, 1.2, 0.98, 0.84, 0.7, 0.59, 0.49, 0.41);
  return failures;
}
