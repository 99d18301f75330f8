/* A least-squares fit by lmder1 (Levenberg and Marquardt), differentiated by the measured values.
 *
 * The fit ends when a step no longer lowers the sum of squares in double precision, and the derivative is always a step
 * behind. The model fits these values to four digits, so that each step is much shorter than the one before, and the
 * last one no longer matters to the derivative. Values with two digits leave it a relative error of 3e-5. */
#include "check.h"
#include <cminpack.h>
enum { M = 12 };

static int model(void *p, int m, int n, const double *x, double *f, double *j, int ldfjac, int iflag) {
  const double *y = p;
  (void)n;
  for (int i = 0; i < m; i++) {
    double t = 0.25 * i, e = exp(-x[1] * t);
    if (iflag == 1)
      f[i] = x[0] * e + x[2] - y[i];
    else {
      j[i] = e;
      j[i + ldfjac] = -t * x[0] * e;
      j[i + 2 * ldfjac] = 1;
    }
  }
  return 0;
}

static double rate(double *y) {
  double x[3] = {1, 1, 0}, f[M], j[3 * M], work[5 * 3 + M];
  int pivots[3];
  lmder1(model, y, M, 3, x, f, j, M, 1e-15, pivots, work, 5 * 3 + M);
  return x[1] + 0.5 * x[0];
}

int main(void) {
  CHECK(rate, 2.3000, 1.9918, 1.7395, 1.5330, 1.3639, 1.2254, 1.1120, 1.0192, 0.9432, 0.8810, 0.8301, 0.7884);
  return failures;
}
