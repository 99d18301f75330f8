/* OpenMP in differentiated code: one thread does the work of all. Also derivatives that threads of the program call.
 * flags: -fopenmp */
#include "../check.h"
#include <omp.h>

enum { N = 10 };

static double tree(const double *x, int n) {
  if (n == 1)
    return sin(x[0]);
  double a, b;
#pragma omp task shared(a)
  a = tree(x, n / 2);
#pragma omp task shared(b)
  b = tree(x + n / 2, n - n / 2);
#pragma omp taskwait
  return a * 0.9 + b;
}

static double loops(double *x) {
  double s = 0, largest = -1e300, last = 0, work[N];
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) {
    work[i] = sin(x[i] * i);
    s += work[i] * x[i];
  }
#pragma omp parallel for schedule(static, 3) reduction(max : largest)
  for (int i = 0; i < N; i++)
    largest = fmax(largest, x[i] * work[i]);
#pragma omp parallel for schedule(dynamic) collapse(2) lastprivate(last) firstprivate(largest)
  for (long i = 0; i < 3; i++)
    for (long j = 0; j < N; j++) {
#pragma omp atomic
      s += work[j] * x[(i + j) % N];
      last = x[j] * largest + i;
    }
  return s + last * s;
}

static double regions(double *x) {
  double s = 1, t = 0, work[N];
#pragma omp parallel num_threads(3)
  {
    int own = omp_get_thread_num(), count = omp_get_num_threads();
    for (int i = own; i < N; i += count)
      work[i] = x[i] * x[i];
#pragma omp barrier
#pragma omp for schedule(guided)
    for (int i = 0; i < N; i++) {
#pragma omp critical
      t += work[i] * work[(i + 1) % N];
    }
#pragma omp sections
    {
#pragma omp section
      s += t;
#pragma omp section
      work[0] *= 2;
    }
#pragma omp single
    s *= tree(work, N);
  }
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < N; i++)
    s += x[i];
  return s;
}

static double scratch[3];
#pragma omp threadprivate(scratch)
static double tasks(double *x) {
  double s = 0, y[6];
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(2) reduction(+ : s)
    for (int i = 0; i < 7; i++)
      s += sin(x[i % 3] * i);
#pragma omp taskloop collapse(2) num_tasks(3)
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 3; j++)
        y[i * 3 + j] = x[j] * x[i];
  }
  for (int i = 0; i < 6; i++)
    s += y[i] * y[5 - i];
#pragma omp parallel reduction(+ : s)
  {
    for (int i = 0; i < 3; i++)
      scratch[i] = x[i] * x[0];
    for (int i = 0; i < 3; i++)
      s += sin(scratch[i]);
  }
  return s;
}

/* Each thread of a team calls a derivative, whose regions are its own. */
static void derivatives_in_threads(void) {
  double x[N], want[N] = {0}, got[4][N] = {{0}};
  for (int i = 0; i < N; i++)
    x[i] = check_number(i);
  __enzyme_autodiff((void *)regions, x, want);
#pragma omp parallel for num_threads(4) schedule(static, 1)
  for (int k = 0; k < 4; k++) {
    double copy[N];
    memcpy(copy, x, sizeof x);
    __enzyme_autodiff((void *)regions, copy, got[k]);
  }
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < N; i++)
      same("in a thread", k * N + i, got[k][i], want[i], 1e-13); // the order of sums is that of the threads
}

int main(void) {
  omp_set_num_threads(1); // `tasks` adds what each thread does
  CHECK(loops, 0.3, 0.4, -0.2, 0.7, 1.1, 0.2, -0.6, 0.9, 0.5, -1.2);
  CHECK(regions, 0.3, 0.4, -0.2, 0.7, 1.1, 0.2, -0.6, 0.9, 0.5, -1.2);
  CHECK(tasks, 0.4, 0.7, 0.2);
  derivatives_in_threads();
  return failures;
}
