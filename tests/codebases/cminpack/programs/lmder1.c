/* A least-squares fit by lmder1 (Levenberg and Marquardt), differentiated by the measured values. */
#include <cminpack.h>
#include <math.h>
#include <stdio.h>
extern double __enzyme_autodiff(void *, ...);
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
  double y[M], d[M] = {0};
  for (int i = 0; i < M; i++)
    y[i] = 2 * exp(-0.7 * 0.25 * i) + 0.3 + 0.01 * sin(5 * i);
  double first[M];
  for (int i = 0; i < M; i++) first[i] = y[i];
  __enzyme_autodiff((void *)rate, y, d);
  int wrong = 0;
  for (int i = 0; i < M; i += 3) {
    double h = 1e-3, keep = first[i];
    first[i] = keep + h; double up = rate(first);
    first[i] = keep - h; double down = rate(first);
    first[i] = keep;
    double expected = (up - down) / (2 * h);
    printf("d/dy%d = %.10g, expected %.10g\n", i, d[i], expected);
    wrong += !(fabs(d[i] - expected) < 1e-5 * (1 + fabs(expected)));
  }
  return wrong;
}
