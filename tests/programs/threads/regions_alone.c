/* Regions that one thread must run, and others beside them that run on a team.
 * flags: -fopenmp */
#include "../check.h"
#include <omp.h>

enum { N = 6 };
static int threads_seen;

static double power(double x, int n) {
  return n ? x * power(x, n - 1) + sin(x) * power(x * 0.5, n - 1) : 1.5 * x;
}

/* A region that reaches a function that calls itself. */
static double recursive(double *x) {
  double y[40], z[40], s = 0;
  int threads = 0;
#pragma omp parallel for
  for (int i = 0; i < 40; i++)
    y[i] = sin(x[i % N] * i);
#pragma omp parallel for
  for (int i = 0; i < 40; i++)
    z[i] = power(y[i], 3) * x[i % 3];
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp for reduction(+ : s)
    for (int i = 0; i < 40; i++)
      s += z[i] * y[39 - i];
  }
  threads_seen = threads;
  return s;
}

/* A region with an atomic product: the order of its factors matters. */
static double product(double *x) {
  double y[40], s = 0, p = 1;
#pragma omp parallel for
  for (int i = 0; i < 40; i++)
    y[i] = sin(x[i % N] * i);
#pragma omp parallel for
  for (int i = 0; i < 40; i++) {
#pragma omp atomic
    p *= 1 + 0.1 * y[i];
  }
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 40; i++)
    s += p * y[39 - i];
  return s;
}

int main(void) {
  CHECK(recursive, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
#ifndef SERIAL_REGIONS
  failures += threads_seen != omp_get_max_threads();
#endif
  CHECK(product, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
