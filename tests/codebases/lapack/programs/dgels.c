/* Least squares by dgels: Householder reflections, their products in blocks. */
#include "check.h"
extern void dgels_(const char *, const int *, const int *, const int *, double *, const int *, double *, const int *, double *,
                   const int *, int *, long);
enum { M = 7, N = 3 };

static double f(double *x) {
  double a[M * N], b[M], work[256];
  int m = M, n = N, one = 1, size = 256, info;
  for (int i = 0; i < M; i++) {
    double t = 0.3 * i;
    a[i] = exp(-x[0] * t), a[i + M] = cos(x[1] * t), a[i + 2 * M] = 1 + x[2] * t;
    b[i] = x[3] * t * t + x[4] / (1 + t);
  }
  dgels_("N", &m, &n, &one, a, &m, b, &m, work, &size, &info, 1);
  return b[0] + 2 * b[1] * b[1] - b[2];
}

int main(void) {
  CHECK(f, 0.7, 1.3, 2.1, 0.4, 1.9);
  return failures;
}
