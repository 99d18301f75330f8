/* Markers about a whole request, in both modes: interleaved shadows, aggregates by reference, runtime activity, strong
   zero. */
#include "../check.h"

extern int enzyme_interleave, enzyme_byref, enzyme_runtime_activity, enzyme_strong_zero;

struct pair {
  double a, b;
};

static double product(double *x, double *y) { return x[0] * y[0] * y[1]; }
static double of_pair(struct pair *p) { return p->a * p->b * p->b; }
static double constant_or_not(double *x, double *y) { return x[0] * y[1] + x[1] * y[0]; }
static double root(double *x) { return 0 * sqrt(x[0]) + x[1]; }
static double logarithm(double *x) { return 0 * log(x[0]) + x[1]; }
static void into(double *x, double *y) { y[0] = x[0] * x[1]; }

int main(void) {
  double x[2] = {2, 3}, y[2] = {5, 7}, dx[2] = {0}, dy[2] = {0};
  __enzyme_autodiff((void *)product, enzyme_interleave, x, y, dx, dy);
  same("interleave, x", 0, dx[0], 35, 0);
  same("interleave, y", 0, dy[0], 14, 0);
  same("interleave, y", 1, dy[1], 10, 0);

  struct pair p = {2, 3}, dp = {0, 0};
  __enzyme_autodiff((void *)of_pair, enzyme_byref, (int)sizeof p, &p, &dp);
  same("byref", 0, dp.a, 9, 0);
  same("byref", 1, dp.b, 12, 0);

  dx[0] = dx[1] = 0;
  __enzyme_autodiff((void *)constant_or_not, enzyme_runtime_activity, enzyme_dup, x, dx, enzyme_dup, y, y);
  same("runtime activity", 0, dx[0], 7, 0);
  same("runtime activity", 1, dx[1], 5, 0);
  same("constant memory stays", 0, y[0], 5, 0);

  double z[2] = {0, 1}, dz[2] = {0};
  __enzyme_autodiff((void *)root, enzyme_strong_zero, z, dz);
  same("strong zero", 0, dz[0], 0, 0);
  same("strong zero", 1, dz[1], 1, 0);
  z[0] = 0, z[1] = 1, dz[0] = dz[1] = 0;
  __enzyme_autodiff((void *)logarithm, enzyme_strong_zero, z, dz);
  same("strong zero, of a pole", 0, dz[0], 0, 0);

  double tx[2] = {1, 10}, ty[2] = {100, 1000};
  same("forward: interleave", 0, __enzyme_fwddiff((void *)product, enzyme_interleave, x, y, tx, ty),
       35 + 2 * 7 * 100 + 2 * 5 * 1000, 0);
  dp = (struct pair){1, 10};
  same("forward: byref", 0, __enzyme_fwddiff((void *)of_pair, enzyme_byref, (int)sizeof p, &p, &dp), 9 + 120, 0);
  same("forward: runtime activity", 0,
       __enzyme_fwddiff((void *)constant_or_not, enzyme_runtime_activity, enzyme_dup, x, tx, enzyme_dup, y, y), 57, 0);
  __enzyme_fwddiff((void *)into, enzyme_runtime_activity, enzyme_dup, x, tx, enzyme_dup, y, y);
  same("forward: constant memory", 0, y[0], 6, 0);
  dz[0] = 0, dz[1] = 1;
  same("forward: strong zero", 0, __enzyme_fwddiff((void *)logarithm, enzyme_strong_zero, z, dz), 1, 0);
  return failures;
}
