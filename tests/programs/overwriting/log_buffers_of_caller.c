/* Two buffers of the caller that change places in each step, rows by rows without their borders; pointers that may
 * point into the same memory. */
#include "../check.h"

enum { N = 5 };

static NOINLINE double grid(double *u, double *v, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double c = 0;
        for (int k = -1; k <= 1; k++)
          for (int l = -1; l <= 1; l++)
            c += u[(i + k) * n + j + l] * u[i * n + j];
        v[i * n + j] = 0.1 * c;
      }
    double *other = u;
    u = v;
    v = other;
  }
  double sum = 0;
  for (int i = 0; i < n * n; i++)
    sum += u[i] * u[i];
  return sum;
}

static double separate(double *x) { return grid(x, x + N * N, N, 3); }
static double shifted(double *x) { return grid(x, x + N, N, 2); }
static double backwards(double *x) {
  double sum = 0;
  for (int t = 0; t < 3; t++) {
    for (int i = N - 1; i >= 0; i--)
      for (int j = 0; j < N; j++)
        sum += x[i] * x[j] * x[j];
    for (int i = N - 1; i >= 0; i--)
      x[i] = x[i] * x[i] - 0.2;
  }
  return sum;
}

int main(void) {
  double x[2 * N * N], dx[2 * N * N], left[2 * N * N];
  for (int which = 0; which < 2; which++) {
    double (*f)(double *) = which ? shifted : separate;
    for (int i = 0; i < 2 * N * N; i++)
      x[i] = left[i] = 1 + 0.3 * sin(i), dx[i] = 0;
    if (which)
      __enzyme_autodiff((void *)shifted, x, dx);
    else
      __enzyme_autodiff((void *)separate, x, dx);
    f(left);
    for (int i = 0; i < 2 * N * N; i++) {
      double at[2 * N * N];
      for (int k = 0; k < 2 * N * N; k++)
        at[k] = 1 + 0.3 * sin(k);
      same("grid", i, dx[i], check_difference(f, at, 2 * N * N, i), 1e-7);
      same("left", i, x[i], left[i], 1e-12);
    }
  }
  CHECK(backwards, 0.5, 0.3, 0.2, 0.7, -0.4);
  return failures;
}
