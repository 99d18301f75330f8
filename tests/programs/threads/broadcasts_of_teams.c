/* copyprivate on teams of threads: what one thread wrote to its own variables is copied to those of the others.
 * flags: -fopenmp */
#include "on_teams.h"

static double numbers(double *x) {
  double y[N], r = 0;
#pragma omp parallel
  {
    double c, d[3];
    int shift;
    for (int t = 0; t < 3; t++) {
#pragma omp single copyprivate(c, d, shift)
      {
        shift = t + 2;
        c = x[t] * x[1];
        for (int k = 0; k < 3; k++)
          d[k] = x[k + shift] * c;
      }
#pragma omp for
      for (int i = 0; i < N; i++)
        y[i] = (t ? y[i] : 1) + c * x[(i + shift) % N] + d[i % 3];
      c *= 2; /* each its own */
#pragma omp for reduction(+ : r)
      for (int i = 0; i < N; i++)
        r += c * y[i] * y[i];
    }
  }
  return r;
}
GRADIENT(numbers)

static double of_thread;
#pragma omp threadprivate(of_thread)
static double variables_of_threads(double *x) {
  double y[N], r = 0;
#pragma omp parallel
  {
#pragma omp single copyprivate(of_thread)
    of_thread = x[3] * x[5];
#pragma omp for
    for (int i = 0; i < N; i++)
      y[i] = of_thread * x[i];
  }
  for (int i = 0; i < N; i++)
    r += y[i] * y[i];
  return r;
}
GRADIENT(variables_of_threads)

static double pointers(double *x) {
  double r = 0;
#pragma omp parallel if (x[0] < 9)
  {
    double *squares;
#pragma omp single copyprivate(squares)
    {
      squares = malloc(N * sizeof *squares);
      for (int i = 0; i < N; i++)
        squares[i] = x[i] * x[i];
    }
#pragma omp for reduction(+ : r)
    for (int i = 0; i < N; i++)
      r += squares[i] * squares[(i + 1) % N];
#pragma omp single
    free(squares);
  }
  return r;
}
GRADIENT(pointers)

int main(void) {
  ON_TEAMS(numbers);
  ON_TEAMS(variables_of_threads);
  ON_TEAMS(pointers);
  return failures;
}
