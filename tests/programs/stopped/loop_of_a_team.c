/* A loop of OpenMP whose team called the derivative: its threads would add to the same shadows.
 * expect: an OpenMP loop in a team of threads
 * flags: -fopenmp */
#include "../check.h"

static double f(const double *x) {
  double s = 0;
#pragma omp for
  for (int i = 0; i < 8; i++)
    s += x[i] * x[i];
  return s;
}

int main(void) {
  double x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, dx[8] = {0};
#pragma omp parallel num_threads(2)
  __enzyme_autodiff((void *)f, x, dx);
  return 0;
}
