/* Threads that wait for each other in a loop that looks at a volatile variable: the order is not recorded. So one thread
 * runs the region.
 * flags: -fopenmp */
#include "../check.h"
#include <omp.h>

enum { N = 6, ITEMS = 120 };
static volatile int arrived;

static double neighbours(double *x) {
  double y[ITEMS], sum = 0;
  arrived = 0;
#pragma omp parallel shared(y) reduction(+ : sum)
  {
    int own = omp_get_thread_num(), count = omp_get_num_threads();
    for (int i = own; i < ITEMS; i += count)
      y[i] = sin(x[i % N] * i) * x[(i + 1) % N];
    __sync_fetch_and_add(&arrived, 1);
    while (arrived < count)
      ;
    for (int i = own; i < ITEMS; i += count)
      sum += y[ITEMS - 1 - i] * y[i * 7 % ITEMS];
  }
  return sum;
}

int main(void) {
  CHECK(neighbours, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
