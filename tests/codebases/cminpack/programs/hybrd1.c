/* The root of a system of equations, found by hybrd1 (Powell's hybrid method), differentiated by its parameters. */
#include <cminpack.h>
#include <math.h>
#include <stdio.h>
extern double __enzyme_autodiff(void *, ...);

struct equations { double a, b; };

static int residuals(void *p, int n, const double *x, double *f, int iflag) {
  const struct equations *e = p;
  (void)n; (void)iflag;
  f[0] = exp(x[0]) + x[1] - e->a;
  f[1] = x[0] * x[0] + sin(x[1]) - e->b;
  return 0;
}

static double root(const double *p) {
  struct equations e = {p[0], p[1]};
  double x[2] = {0.9, 0.3}, f[2], work[100];
  hybrd1(residuals, &e, 2, x, f, 1e-14, work, 100);
  return x[0] + 2 * x[1];
}

int main(void) {
  double p[2] = {3, 1.1}, d[2] = {0};
  __enzyme_autodiff((void *)root, p, d);
  int wrong = 0;
  for (int i = 0; i < 2; i++) {
    double h = 1e-6, u[2] = {p[0], p[1]}, v[2] = {p[0], p[1]};
    u[i] += h; v[i] -= h;
    double expected = (root(u) - root(v)) / (2 * h);
    printf("d/dp%d = %.10g, expected %.10g\n", i, d[i], expected);
    wrong += !(fabs(d[i] - expected) < 1e-6 * (1 + fabs(expected)));
  }
  return wrong;
}
