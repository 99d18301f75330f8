/* The solution of a linear system by dgesv: LU factors with pivoting, in blocks and in place. */
#include "check.h"
extern void dgesv_(const int *, const int *, double *, const int *, int *, double *, const int *, int *);
enum { N = 4 };

static double f(double *x) {
  double a[N * N], b[2 * N];
  int n = N, columns = 2, pivots[N], info;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      a[i + N * j] = x[(i + 2 * j) % 5] / (1 + i + j) + (i == j) * x[4];
  for (int i = 0; i < 2 * N; i++)
    b[i] = x[i % 5] * x[(i + 1) % 5];
  dgesv_(&n, &columns, a, &n, pivots, b, &n, &info);
  double s = info;
  for (int i = 0; i < 2 * N; i++)
    s += b[i] * (i + 1);
  return s;
}

int main(void) {
  CHECK(f, 0.7, -1.3, 2.1, 0.4, 1.9);
  return failures;
}
