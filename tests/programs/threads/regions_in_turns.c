/* Regions that divide their work themselves, by a number of threads that OpenMP does not tell in differentiated code, and
 * that run in one thread there: once for each thread of the team.
 * flags: -fopenmp */
#include "../check.h"
#include <omp.h>

enum { N = 6, ITEMS = 24, TEAM = 3 };
static int threads = TEAM;

/* A region that calls a function which calls itself runs in one thread. */
static double power(double x, int n) {
  return n ? x * power(x, n - 1) + sin(x) * power(x * 0.5, n - 1) : 1.5 * x;
}

static double part_of(const double *x, int own, int count) {
  double sum = 0;
  for (int i = ITEMS * own / count; i < ITEMS * (own + 1) / count; i++)
    sum += power(x[i % N], 2) * i;
  return sum;
}

static NOINLINE int own_number(void) { return omp_get_thread_num(); }

/* The clause has a constant, and the code behind the region reads what each thread has written. */
static double slots(double *x) {
  double parts[TEAM], product = 1;
#pragma omp parallel num_threads(TEAM)
  parts[own_number()] = part_of(x, own_number(), TEAM);
  for (int k = 0; k < TEAM; k++)
    product *= 1 + 0.01 * parts[k];
  return product;
}

/* The clause has a number that other code has set, and the region asks for it. */
static double sum_in_sections(double *x) {
  double sum = 0;
#pragma omp parallel num_threads(threads)
  {
    double own = part_of(x, omp_get_thread_num(), omp_get_num_threads());
#pragma omp critical
    sum += own * own;
  }
  return sum;
}

/* Each thread adds the same: the result has the number of threads as a factor. */
static double repeated(double *x) {
  double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum += power(x[0], 2) * x[1];
  return sum;
}

/* Turns overwrite what turns before have left. */
static double in_sequence(double *x) {
  double state[1] = {x[0]};
#pragma omp parallel num_threads(TEAM)
  {
#pragma omp critical
    state[0] = sin(state[0] * x[1]) + power(state[0], 1);
  }
  return state[0];
}

int main(void) {
  CHECK(slots, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(sum_in_sections, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(repeated, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(in_sequence, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
