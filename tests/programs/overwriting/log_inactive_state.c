/* Overwritten numbers and indices without derivative, which the reverse sweep needs: their stores are undone, though
 * they have no adjoint, also where nothing else brings the reverse sweep there. */
#include "../check.h"

enum { N = 4 };

static double weighted(double *x) {
  double weight[N] = {0.1, 0.2, 0.3, 0.4}, sum = 0;
  int order[N] = {0, 1, 2, 3};
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        sum += weight[i] * order[j] * x[order[i]] * x[j];
    for (int i = 0; i < N; i++)
      weight[i] = cos(weight[i] + t);
    for (int i = 0; i + 1 < N; i++) {
      int first = order[i];
      order[i] = order[i + 1];
      order[i + 1] = first;
    }
  }
  return sum;
}

static NOINLINE double with_work(const double *x, double *work, int n, int steps) {
  double sum = 0;
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        sum += work[i] * work[j] * x[j] * x[i];
    for (int i = 0; i < n; i++)
      work[i] = 0.5 * work[i] + t;
  }
  return sum;
}

static double with_own_work(double *x) {
  double work[N] = {1, 2, 3, 4};
  return with_work(x, work, N, 3);
}

int main(void) {
  CHECK(weighted, 0.5, 1.2, 0.7, -0.4);
  double x[N] = {0.5, 1.2, 0.7, -0.4}, dx[N] = {0}, work[N] = {1, 2, 3, 4}, left[N] = {1, 2, 3, 4};
  __enzyme_autodiff((void *)with_work, enzyme_dup, x, dx, enzyme_const, work, N, 3);
  with_work(x, left, N, 3);
  for (int i = 0; i < N; i++) {
    same("with_work", i, dx[i], check_difference(with_own_work, x, N, i), 1e-7);
    same("left", i, work[i], left[i], 0);
  }
  return failures;
}
