/* LAPACKE's functions for callers with work space, which are asked for its size: an inverse, and eigenvectors of a Hermitian
 * matrix. plain_lapacke.c stands for the library.
 * flags: -lopenblas -lm */
#include "../../../check.h"
#include "lapacke.h"
static double f(double *x) {
  double a[9], size, s;
  Z h[9], work[99];
  double w[3], more[9];
  int p[3], columns = 102;
  for (int i = 0; i < 9; i++) a[i] = sin(x[i % 3] * (i + 1)) + (i % 4 == 0) * 3;
  for (int i = 0; i < 9; i++) h[i] = a[i] + a[i % 3 * 3 + i / 3] + 1.0i * x[1] * (i / 3 - i % 3);
  LAPACKE_dgetrf_work(columns, 3, 3, a, 3, p);
  LAPACKE_dgetri_work(columns, 3, a, 3, p, &size, -1);
  double *space = malloc((size_t)size * sizeof *space);
  s = LAPACKE_dgetri_work(columns, 3, a, 3, p, space, (int)size);
  free(space);
  s += LAPACKE_zheev_work(columns, 'V', 'L', 3, h, 3, w, work, 99, more);
  return s + a[1] * a[2] + a[5] + w[0] * w[2] + __real__ (h[0] * h[5]) + __imag__ h[2];
}
int main(void) {
  CHECK(f, 0.4, 0.9, 0.3);
  return failures;
}
