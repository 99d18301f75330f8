/* Hessians times vectors by each mode over each, and a whole Hessian in one pass, against differences of the gradient. */
#include "../check.h"

enum { N = 3 };
extern int enzyme_width, enzyme_dupv;
extern void __enzyme_fwddiff_void(void *, ...);

NOINLINE static double inner(double a, double b) { return sin(a * b) + a * a * b; }

static double f(double *x) {
  double s = 0, *t = malloc(N * sizeof *t), u = x[0];
  for (int i = 0; i < N; i++)
    t[i] = exp(x[i] * x[(i + 1) % N]);
  while (u * u < 30) {
    u = u * 1.5 + t[1] * x[1] + 0.1;
    s += sqrt(1 + u * t[0]);
  }
  for (int i = 0; i < N; i++)
    s += inner(t[i], x[i]) * u;
  free(t);
  return s;
}

static void gradient(double *x, double *g) {
  memset(g, 0, N * sizeof *g);
  __enzyme_autodiff((void *)f, x, g);
}
static double along(double *x, double *v) { return __enzyme_fwddiff((void *)f, x, v); }
static double weighed(double *x, double *w) {
  double g[N], s = 0;
  gradient(x, g);
  for (int i = 0; i < N; i++)
    s += g[i] * w[i];
  return s;
}

static const double at[N] = {0.5, 1.2, -0.7}, v[N] = {0.3, -0.2, 0.9}, w[N] = {0.7, 0.1, -0.4};

/* the change of the gradient along d, by a central difference of fourth order */
static void by_differences(const double *d, double *change) {
  const double h = 1e-3, weight[] = {1, -8, 8, -1}, step[] = {-2, -1, 1, 2};
  memset(change, 0, N * sizeof *change);
  for (int k = 0; k < 4; k++) {
    double x[N], g[N];
    for (int i = 0; i < N; i++)
      x[i] = at[i] + step[k] * h * d[i];
    gradient(x, g);
    for (int i = 0; i < N; i++)
      change[i] += weight[k] * g[i] / (12 * h);
  }
}

int main(void) {
  double x[N], dx[N], g[N], dg[N], constant[N], want[N], both = 0;
  by_differences(v, want);
  for (int i = 0; i < N; i++)
    both += want[i] * w[i];
  memcpy(x, at, sizeof x);

  memcpy(dx, v, sizeof dx);
  __enzyme_fwddiff_void((void *)gradient, x, dx, g, dg);
  for (int i = 0; i < N; i++)
    same("forward over reverse", i, dg[i], want[i], 1e-8);

  memset(dx, 0, sizeof dx), memcpy(constant, v, sizeof v);
  __enzyme_autodiff((void *)along, x, dx, enzyme_const, constant);
  for (int i = 0; i < N; i++)
    same("reverse over forward", i, dx[i], want[i], 1e-8);

  memcpy(dx, w, sizeof dx), memcpy(constant, v, sizeof v);
  same("forward over forward", 0, __enzyme_fwddiff((void *)along, x, dx, enzyme_const, constant), both, 1e-8);

  memset(dx, 0, sizeof dx), memcpy(constant, v, sizeof v);
  __enzyme_autodiff((void *)weighed, x, dx, enzyme_const, constant);
  for (int i = 0; i < N; i++)
    same("reverse over reverse", i, dx[i], want[i], 1e-8);

  double unit[N][N] = {{1}, {0, 1}, {0, 0, 1}}, hessian[N][N] = {{0}};
  __enzyme_fwddiff_void((void *)gradient, enzyme_width, N, enzyme_dupv, sizeof *unit, x, unit, enzyme_dupv,
                        sizeof *hessian, g, hessian);
  for (int i = 0; i < N; i++) {
    double row = 0;
    for (int j = 0; j < N; j++)
      row += hessian[i][j] * v[j];
    same("whole Hessian", i, row, want[i], 1e-8);
    same("symmetric", i, hessian[i][(i + 1) % N], hessian[(i + 1) % N][i], 1e-12);
  }
  return failures;
}
