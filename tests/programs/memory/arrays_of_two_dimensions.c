/* Two-dimensional arrays: of variable size as arguments, pointers to rows, transposed in place. */
#include "../check.h"

NOINLINE static void transpose(int n, double a[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double t = a[i][j];
      a[i][j] = a[j][i], a[j][i] = t;
    }
}

NOINLINE static void multiply(int n, const double (*a)[n], const double (*b)[n], double (*c)[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}

static double run(double *x) {
  int n = 3;
  double a[n][n], b[n][n], c[n][n], s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = x[i] * (j + 1), b[i][j] = x[j] + i;
  transpose(n, a);
  multiply(n, a, b, c);
  memcpy(a, c, sizeof a);
  transpose(n, a);
  multiply(n, a, c, b);
  for (int i = 0; i < n; i++)
    s += b[i][i] * c[i][n - 1 - i];
  return s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
