/* A Cholesky factor in place, on rows of a triangle, and its log-determinant. */
#include "../check.h"

enum { N = 4 };

static double factor(double *x) {
  double a[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i == j ? 9 : 0;
      for (int k = 0; k < N; k++)
        a[i][j] += x[i] * x[j] / (1 + i + j + k) * 0.3;
    }
  double logdet = 0;
  for (int j = 0; j < N; j++) {
    for (int k = 0; k < j; k++)
      a[j][j] -= a[j][k] * a[j][k];
    a[j][j] = sqrt(a[j][j]);
    logdet += 2 * log(a[j][j]);
    for (int i = j + 1; i < N; i++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
  }
  return logdet;
}

int main(void) {
  CHECK(factor, 0.5, 1.2, 0.7, -0.9);
  return failures;
}
