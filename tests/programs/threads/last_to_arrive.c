/* The last thread of a region to arrive goes on with what all have done: a counter tells which one it is.
 * flags: -fopenmp */
#include "../check.h"
#include <omp.h>

enum { N = 6, ITEMS = 240, MOST_THREADS = 64 };

static double part_of(const double *x, int own, int count) {
  double sum = 0;
  for (int i = own; i < ITEMS; i += count)
    sum += sin(x[i % N] * i) * x[(i + 1) % N];
  return sum;
}

static double last(double *x) {
  double parts[MOST_THREADS], sum = 0;
  int arrived = 0, count = 1;
#pragma omp parallel
  {
    int own = omp_get_thread_num(), before;
#pragma omp single
    count = omp_get_num_threads();
    parts[own] = part_of(x, own, count);
#pragma omp atomic capture seq_cst
    before = arrived++;
    if (before == count - 1)
      for (int k = 0; k < count; k++)
        sum += parts[k];
  }
  return sum * sum;
}

/* Each turn has a counter of its own; the last thread of one turn changes what the next turn reads. */
static double turns(double *x) {
  double parts[MOST_THREADS], factor = 1;
  int arrived[3] = {0}, count = 1;
#pragma omp parallel
  {
    int own = omp_get_thread_num(), before;
#pragma omp single
    count = omp_get_num_threads();
    for (int turn = 0; turn < 3; turn++) {
      parts[own] = factor * part_of(x, own, count);
#pragma omp barrier
#pragma omp atomic capture seq_cst
      before = ++arrived[turn];
      if (before == count) {
        double sum = 0;
        for (int k = 0; k < count; k++)
          sum += parts[k];
        factor = sin(sum) + 0.1 * sum;
      }
#pragma omp barrier
    }
  }
  return factor;
}

int main(void) {
  CHECK(last, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(turns, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
