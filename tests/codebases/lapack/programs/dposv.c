/* A positive definite system by dposv, and the determinant from its Cholesky factor. */
#include "check.h"
extern void dposv_(const char *, const int *, const int *, double *, const int *, double *, const int *, int *, long);
enum { N = 5 };

static double f(double *x) {
  double a[N * N], b[N], determinant = 1, s = 0;
  int n = N, one = 1, info;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      a[i + N * j] = x[i] * x[j] + (i == j) * (1 + x[i] * x[i]);
  for (int i = 0; i < N; i++)
    b[i] = sin(x[i]);
  dposv_("L", &n, &one, a, &n, b, &n, &info, 1);
  for (int i = 0; i < N; i++)
    determinant *= a[i + N * i] * a[i + N * i], s += b[i] * (i + 1);
  return s + log(determinant);
}

int main(void) {
  CHECK(f, 0.7, -1.3, 2.1, 0.4, 1.9);
  return failures;
}
