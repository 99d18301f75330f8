/* A least-squares fit by lmder1 (Levenberg and Marquardt), differentiated by the measured values. */
#define TOLERANCE 1e-5 /* the fit stops where its steps are small, not at the very optimum */
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
  CHECK(rate, 2.3, 1.97, 1.71, 1.48, 1.30, 1.14, 0.99, 0.88, 0.80, 0.71, 0.65, 0.58);
  return failures;
}
