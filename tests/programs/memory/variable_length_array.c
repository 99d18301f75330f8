/* Arrays of variable length, of one and two dimensions, in a loop. */
#include "../check.h"

static double vary(double *x) {
  double s = 0;
  for (int n = 1; n < 5; n++) {
    double v[n], m[n][n];
    for (int i = 0; i < n; i++) {
      v[i] = x[i % 3] * n;
      for (int j = 0; j <= i; j++)
        m[i][j] = m[j][i] = v[j] * x[2];
    }
    for (int i = 0; i < n; i++)
      s += v[i] * m[i][n - 1] * m[0][i];
  }
  return s;
}

int main(void) {
  CHECK(vary, 0.5, 1.2, 0.7);
  return failures;
}
