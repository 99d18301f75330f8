/* Gaussian elimination with partial pivoting, in place. */
#include "../check.h"

static double solve(double *x) {
  double a[3][3], b[3];
  for (int i = 0; i < 9; i++)
    a[i / 3][i % 3] = x[i];
  for (int i = 0; i < 3; i++)
    b[i] = x[9 + i];
  for (int k = 0; k < 3; k++) {
    int p = k;
    for (int i = k + 1; i < 3; i++)
      if (fabs(a[i][k]) > fabs(a[p][k]))
        p = i;
    if (p != k) {
      for (int j = 0; j < 3; j++) {
        double t = a[k][j];
        a[k][j] = a[p][j];
        a[p][j] = t;
      }
      double t = b[k];
      b[k] = b[p];
      b[p] = t;
    }
    for (int i = k + 1; i < 3; i++) {
      double m = a[i][k] / a[k][k];
      for (int j = k; j < 3; j++)
        a[i][j] -= m * a[k][j];
      b[i] -= m * b[k];
    }
  }
  for (int i = 2; i >= 0; i--) {
    for (int j = i + 1; j < 3; j++)
      b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
  return b[0] + 2 * b[1] * b[2];
}

int main(void) {
  CHECK(solve, 1.0, 2.0, 0.5, -3.0, 1.0, 4.0, 2.5, -1.0, 0.3, 1.0, 2.0, 3.0);
  return failures;
}
