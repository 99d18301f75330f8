/* Singular values by dgesvd, and the product of the singular vectors' squares. */
#include "check.h"
extern void dgesvd_(const char *, const char *, const int *, const int *, double *, const int *, double *, double *,
                    const int *, double *, const int *, double *, const int *, int *, long, long);
enum { M = 4, N = 3 };

static double f(double *x) {
  double a[M * N], s[N], u[M * M], v[N * N], work[512], sum = 0;
  int m = M, n = N, size = 512, info;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < M; i++)
      a[i + M * j] = sin(x[(i * 2 + j) % 5] * (i + 1)) + (i == j) * x[4];
  dgesvd_("A", "A", &m, &n, a, &m, s, u, &m, v, &n, work, &size, &info, 1, 1);
  for (int k = 0; k < N; k++)
    sum += s[k] * (k + 1) + u[1 + M * k] * u[1 + M * k] * v[k] * v[k];
  return sum;
}

int main(void) {
  CHECK(f, 0.7, -1.3, 2.1, 0.4, 1.9);
  return failures;
}
