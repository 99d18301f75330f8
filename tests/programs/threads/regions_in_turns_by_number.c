/* Regions without a clause that divide their work by the number of their thread alone: other code knows how many there
 * are. They run in one thread, once for each thread of the team, as nothing here asks OpenMP for the number.
 * flags: -fopenmp */
#include "../check.h"

enum { N = 6, ITEMS = 24, TEAM = 4 };
int omp_get_thread_num(void);
void omp_set_num_threads(int count);

static double power(double x, int n) {
  return n ? x * power(x, n - 1) + sin(x) * power(x * 0.5, n - 1) : 1.5 * x;
}

static double slots(double *x) {
  double parts[TEAM], product = 1;
#pragma omp parallel
  {
    int own = omp_get_thread_num();
    parts[own] = 0;
    for (int i = own; i < ITEMS; i += TEAM)
      parts[own] += power(x[i % N], 2) * i;
  }
  for (int k = 0; k < TEAM; k++)
    product *= 1 + 0.01 * parts[k];
  return product;
}

static double blocks(double *x) {
  double y[ITEMS], sum = 0;
#pragma omp parallel shared(y)
  for (int k = 0, at = omp_get_thread_num() * ITEMS / TEAM; k < ITEMS / TEAM; k++)
    y[at + k] = power(x[(at + k) % N], 1) * (at + k);
  for (int i = 0; i + 1 < ITEMS; i++)
    sum += y[i] * y[i + 1] * 0.01;
  return sum;
}

int main(void) {
  omp_set_num_threads(TEAM);
  CHECK(slots, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(blocks, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
