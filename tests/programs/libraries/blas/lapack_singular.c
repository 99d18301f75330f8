/* LU factors of matrices without an inverse: determinants by getrf and gesv where the last pivot is 0, and a caller that sees
 * info > 0 in front of others, and goes on without the factors. The determinant is linear in each number: differences are exact.
 * flags: -lopenblas */
#include "../../check.h"
void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
void dgesv_(const int *, const int *, double *, const int *, int *, double *, const int *, int *);
static int by_gesv;
static double f(double *x) {
  int n = 4, one = 1, two = 2, p[4], info;
  double a[16], b[4] = {1, x[0], 2, 3}, zeros[4] = {x[2], 0, 0, 0}, s = 1;
  for (int i = 0; i < 16; i++) a[i] = cos((i / 4 + 1) * (i % 4)) + (i % 5 == 0) * 3;
  for (int j = 0; j < 4; j++) a[1 + 4 * j] = 2 * a[4 * j] + x[j % 3]; /* twice another row at x = 0 */
  if (by_gesv) dgesv_(&n, &one, a, &n, p, b, &n, &info);
  else dgetrf_(&n, &n, a, &n, p, &info);
  for (int i = 0; i < 4; i++) s *= p[i] == i + 1 ? a[5 * i] : -a[5 * i];
  dgetrf_(&two, &two, zeros, &two, p, &info);
  return s + (info > 0 ? x[1] : zeros[0]);
}
int main(void) {
  for (by_gesv = 0; by_gesv < 2; by_gesv++)
    for (int i = 0; i < 3; i++) {
      double x[3] = {0}, d[3] = {0}, up[3] = {0}, down[3] = {0}, one[3] = {0};
      __enzyme_autodiff((void *)f, x, d);
      up[i] = 1, down[i] = -1, one[i] = 1;
      double want = f((double[]){up[0] / 1024, up[1] / 1024, up[2] / 1024}) - f((double[]){down[0] / 1024, down[1] / 1024, down[2] / 1024});
      same("reverse", i, d[i], want * 512, 1e-9);
      same("forward", i, __enzyme_fwddiff((void *)f, x, one), want * 512, 1e-9);
    }
  return failures;
}
