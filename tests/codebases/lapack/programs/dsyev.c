/* Eigenvalues and an eigenvector by dsyev: reduction to tridiagonal form, then iterations whose number depends on data. */
#include "check.h"
extern void dsyev_(const char *, const char *, const int *, double *, const int *, double *, double *, const int *, int *, long,
                   long);
enum { N = 4 };

static double f(double *x) {
  double a[N * N], w[N], work[256], s = 0;
  int n = N, size = 256, info;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      a[i + N * j] = x[(i + j) % 5] + x[i] * x[j] + (i == j) * i;
  dsyev_("V", "U", &n, a, &n, w, work, &size, &info, 1, 1);
  for (int i = 0; i < N; i++)
    s += w[i] * (i + 1) + a[i] * a[i] * a[N * N - 1 - i] * a[N * N - 1 - i];
  return s;
}

int main(void) {
  CHECK(f, 0.7, -1.3, 2.1, 0.4, 1.9);
  return failures;
}
