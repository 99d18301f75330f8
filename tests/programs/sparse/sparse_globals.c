/* Globals that carry derivatives, and work space behind a global pointer: each evaluation starts without what others left. */
#include "sparse.h"

enum { N = 10 };
static double x[N], last, sums[N], *work;

static void f(const double *x, double *y) {
  if (!work)
    work = malloc(N * sizeof *work);
  for (int i = 0; i < N; i++) {
    sums[i] = i % 2 ? sums[i - 1] * x[i] : x[i];
    work[i] = sums[i] * x[i];
  }
  last = x[N - 1] * x[N - 1];
  for (int i = 0; i < N; i++)
    y[i] = work[i] + (i == 0 ? last : 0);
}

static double of_f(long i, long j) {
  double d = 0;
  if (i == 0 && j == N - 1)
    d = 2 * x[j];
  if (i % 2)
    return j == i ? 2 * x[i - 1] * x[i] : j == i - 1 ? x[i] * x[i] : d;
  return i == j ? 2 * x[i] : d;
}

int main(void) {
  struct enzyme_triplets t;
  double y[N];
  for (int i = 0; i < N; i++)
    x[i] = 1 + 0.5 * i;
  for (int k = 0; k < 3; k++) {
    __enzyme_fwddiff((void *)f, enzyme_sparse, &t, x, N, y, N);
    same_matrix("forward", &t, of_f, N, N, N + N / 2 + 1, 2);
    __enzyme_autodiff((void *)f, enzyme_sparse, &t, x, N, y, N);
    same_matrix("reverse", &t, of_f, N, N, N + N / 2 + 1, 2);
    double dx[N] = {0}, dy[N] = {0};
    dx[2] = 1;
    __enzyme_fwddiff((void *)f, x, dx, y, dy);
    same("a plain request between", 0, dy[3], x[3] * x[3], 1e-15);
  }
  free(work);
  return failures;
}
