/* The last task to arrive goes on with what all have done. The order of such tasks is not recorded: one thread runs them.
 * flags: -fopenmp */
#include "../check.h"

enum { N = 6, ITEMS = 240, TASKS = 8 };

static double part_of(const double *x, int own, int count) {
  double sum = 0;
  for (int i = own; i < ITEMS; i += count)
    sum += sin(x[i % N] * i) * x[(i + 1) % N];
  return sum;
}

static double in_tasks(double *x) {
  double parts[TASKS], sum = 0;
  int arrived = 0;
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < TASKS; t++) {
#pragma omp task firstprivate(t)
    {
      int before;
      parts[t] = part_of(x, t, TASKS);
#pragma omp atomic capture seq_cst
      before = arrived++;
      if (before == TASKS - 1)
        for (int k = 0; k < TASKS; k++)
          sum += parts[k] * parts[k];
    }
  }
  return sum;
}

int main(void) {
  CHECK(in_tasks, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
