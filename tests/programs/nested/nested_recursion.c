/* Second derivatives of recursive functions: the gradient of a gradient, and its derivative in a direction. */
#include "../check.h"

NOINLINE static double chain(const double *x, int n) {
  if (n == 0)
    return x[0];
  double r = chain(x, n - 1);
  return sin(r) * x[n & 3] + 0.5 * r * r;
}

NOINLINE static double summed(const double *x, int n) { return n == 0 ? x[0] : 0.5 * summed(x, n - 1) + x[n & 3] * x[n & 3] * x[0]; }

NOINLINE static double by_value(double a, double b, int n) {
  if (n == 0)
    return a * b;
  double r = by_value(a * 1.01, b + a * 0.1, n - 1);
  return r * b + cos(r * a);
}

NOINLINE static void overwriting(double *state, const double *x, int n) {
  if (n == 0)
    return;
  state[0] = sin(state[0]) + x[n & 3];
  overwriting(state, x, n - 1);
  state[1] = state[1] * 0.9 + state[0] * x[2];
}

static double run_chain(double *x) { return chain(x, 6); }
static double run_summed(double *x) { return summed(x, 6); }
static double run_by_value(double *x) { return by_value(x[0], x[1], 5); }
static double run_overwriting(double *x) {
  double state[2] = {x[0] * x[0], x[1]};
  overwriting(state, x, 6);
  return state[0] * state[1];
}

/* A weighted sum of the gradient: its gradient is a product with the Hessian. */
#define WEIGHTED_GRADIENT(f)                                                                                           \
  static double by_##f(double *x) {                                                                                    \
    double dx[4] = {0}, s = 0;                                                                                         \
    __enzyme_autodiff((void *)f, x, dx);                                                                               \
    for (int i = 0; i < 4; i++)                                                                                        \
      s += dx[i] * (i + 1);                                                                                            \
    return s;                                                                                                          \
  }                                                                                                                    \
  static double along_##f(double *x) {                                                                                 \
    double v[4] = {1, 2, 3, 4};                                                                                        \
    return __enzyme_fwddiff((void *)f, x, v);                                                                          \
  }
WEIGHTED_GRADIENT(run_chain)
WEIGHTED_GRADIENT(run_summed)
WEIGHTED_GRADIENT(run_by_value)
WEIGHTED_GRADIENT(run_overwriting)

int main(void) {
  CHECK(by_run_chain, 0.9, 1.2, 0.7, 0.4);
  CHECK(along_run_chain, 0.9, 1.2, 0.7, 0.4);
  CHECK(by_run_summed, 0.9, 1.2, 0.7, 0.4);
  CHECK(along_run_summed, 0.9, 1.2, 0.7, 0.4);
  CHECK(by_run_by_value, 0.9, 1.2, 0.7, 0.4);
  CHECK(along_run_by_value, 0.9, 1.2, 0.7, 0.4);
  CHECK(by_run_overwriting, 0.9, 1.2, 0.7, 0.4);
  CHECK(along_run_overwriting, 0.9, 1.2, 0.7, 0.4);
  return failures;
}
