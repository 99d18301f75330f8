/* double ** of the caller's with its shadow, as matrices are often passed. */
#include "../check.h"

static double trace_of_square(double **m, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += m[i][j] * m[j][i];
  return s;
}

int main(void) {
  double a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, da[3][3] = {{0}};
  double *m[3] = {a[0], a[1], a[2]}, *dm[3] = {da[0], da[1], da[2]};
  __enzyme_autodiff((void *)trace_of_square, m, dm, 3);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      SAME(da[i][j], 2 * a[j][i]);
  return failures;
}
