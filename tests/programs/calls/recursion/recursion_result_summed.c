/* Recursion whose results are only summed: the reverse sweep then needs no primal result of any level. */
#include "../../check.h"

extern int enzyme_primal_return;
extern struct result {
  double value, by_a;
} __enzyme_autodiff_both(void *, ...);

NOINLINE static double weighted(const double *x, int n) {
  if (n == 0)
    return 0;
  double r = weighted(x, n - 1);
  return 0.5 * r + x[n & 3] * x[n & 3];
}

NOINLINE static double tree(const double *x, int first, int count) {
  if (count == 1)
    return sin(x[first]);
  int half = count / 2;
  return tree(x, first, half) + tree(x, first + half, count - half);
}

NOINLINE static double in_loop(const double *x, int n) {
  double sum = x[n];
  for (int i = 0; i < n; i++)
    sum += in_loop(x, i) / (i + 2) * (i & 1 ? -1.5 : 2);
  return sum;
}

/* Adaptive quadrature: the data decide how deep it goes, and the step is no constant. */
NOINLINE static double integrate(double a, double b, double w, int depth) {
  double m = 0.5 * (a + b), h = b - a;
  double whole = h * exp(-w * m * m), halves = 0.5 * h * (exp(-w * (a + h / 4) * (a + h / 4)) + exp(-w * (b - h / 4) * (b - h / 4)));
  if (depth == 0 || fabs(whole - halves) < 1e-3)
    return halves;
  return integrate(a, m, w, depth - 1) + integrate(m, b, w, depth - 1);
}

/* The factor of the result is active: the result is needed after all. */
NOINLINE static double scaled(const double *x, int n) { return n == 0 ? x[0] : x[1] * scaled(x, n - 1) + x[n & 3]; }

/* One of two functions that call each other needs the result. */
NOINLINE static double squares(const double *x, int n);
NOINLINE static double sums(const double *x, int n) { return n <= 0 ? x[0] : squares(x, n - 1) + x[n & 3]; }
NOINLINE static double squares(const double *x, int n) {
  double r = sums(x, n - 1);
  return r * r * 0.3;
}

static double run_weighted(double *x) { return weighted(x, 9); }
static double run_tree(double *x) { return tree(x, 0, 4); }
static double run_in_loop(double *x) { return in_loop(x, 3); }
static double run_integrate(double *x) { return integrate(x[0], x[1], x[2], 9); }
static double run_scaled(double *x) { return scaled(x, 6); }
static double run_mutual(double *x) { return sums(x, 4); }
static double run_used(double *x) { return sin(weighted(x, 6)) * tree(x, 0, 4); }

/* The result of the whole is asked for. */
NOINLINE static double power_sum(double a, int n) { return n == 0 ? 0 : a * a * n + power_sum(a, n - 1); }

int main(void) {
  CHECK(run_weighted, 0.9, 1.2, 0.7, 0.4);
  CHECK(run_tree, 0.9, 1.2, 0.7, 0.4);
  CHECK(run_in_loop, 0.9, 1.2, 0.7, 0.4);
  CHECK(run_integrate, 0.1, 1.2, 1.7);
  CHECK(run_scaled, 0.9, 1.2, 0.7, 0.4);
  CHECK(run_mutual, 0.9, 1.2, 0.7, 0.4);
  CHECK(run_used, 0.9, 1.2, 0.7, 0.4);
  struct result both = __enzyme_autodiff_both((void *)power_sum, enzyme_primal_return, enzyme_out, 1.5, enzyme_const, 10);
  SAME(both.value, 1.5 * 1.5 * 55);
  SAME(both.by_a, 2 * 1.5 * 55);
  return failures;
}
