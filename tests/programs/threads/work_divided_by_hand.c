/* A region that one thread must run, and that divides its work by a number of threads which the program asked for
 * elsewhere: then no region runs on a team.
 * flags: -fopenmp */
#include "../check.h"
#include <omp.h>

enum { N = 6, ITEMS = 24 };

static double power(double x, int n) {
  return n ? x * power(x, n - 1) + sin(x) * power(x * 0.5, n - 1) : 1.5 * x;
}

static double part_of(const double *x, int threads) {
  int own = omp_get_thread_num();
  double sum = 0;
  for (int i = ITEMS * own / threads; i < ITEMS * (own + 1) / threads; i++)
    sum += power(x[i % N], 3) * i;
  return sum;
}

/* It asks for the number of threads before the region. */
static double asked_before(double *x) {
  int threads = omp_get_max_threads();
  double parts[MOST], sum = 0;
#pragma omp parallel num_threads(threads)
  parts[omp_get_thread_num()] = part_of(x, threads);
  for (int k = 0; k < threads; k++)
    sum += parts[k];
  return sum * sum;
}

/* Another region, which could run on a team, tells the number. */
static double told_by_a_region(double *x) {
  int threads = 1;
  double parts[MOST], sum = 0;
#pragma omp parallel
  {
    parts[omp_get_thread_num()] = x[0];
#pragma omp single
    threads = omp_get_num_threads();
  }
#pragma omp parallel
  parts[omp_get_thread_num()] += part_of(x, threads) - x[0];
  for (int k = 0; k < threads; k++)
    sum += parts[k];
  return sum * sum;
}

int main(void) {
  CHECK(asked_before, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(told_by_a_region, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
