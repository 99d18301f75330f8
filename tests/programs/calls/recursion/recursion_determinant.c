/* A determinant by cofactors, with minors on the heap of each call. */
#include "../../check.h"

NOINLINE static double determinant(const double *m, int n) {
  if (n == 1)
    return m[0];
  double *minor = malloc((n - 1) * (n - 1) * sizeof *minor), d = 0, sign = 1;
  for (int c = 0; c < n; c++, sign = -sign) {
    for (int i = 1; i < n; i++)
      for (int j = 0, k = 0; j < n; j++)
        if (j != c)
          minor[(i - 1) * (n - 1) + k++] = m[i * n + j];
    d += sign * m[c] * determinant(minor, n - 1);
  }
  free(minor);
  return d;
}

static double run(double *x) { return determinant(x, 3); }

int main(void) {
  CHECK(run, 0.9, 1.2, 0.7, -1.4, 3.3, 0.1, 2.2, 0.4, -0.8);
  return failures;
}
