/* Tasks of OpenMP.
 * flags: -fopenmp -fopenmp-version=60 */
#include "../check.h"
#include <omp.h>

enum { N = 6 };

static double fib_of_tasks_fib(const double *x, int n) {
  double a, b;
  if (n < 2)
    return x[n] * x[2];
#pragma omp task shared(a)
  a = fib_of_tasks_fib(x, n - 1);
#pragma omp task shared(b) if (n > 3) final(n < 3)
  b = fib_of_tasks_fib(x, n - 2);
#pragma omp taskwait
  return a * 0.9 + b * b * 0.1;
}
static double tasks_fib(double *x) {
  double r;
#pragma omp parallel
#pragma omp single
  r = fib_of_tasks_fib(x, 7);
  return r;
}

static double tasks_loop(double *x) {
  double y[12], s = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 12; i++) {
#pragma omp task firstprivate(i) shared(y) priority(i) mergeable
      y[i] = sin(x[i % N]) * i;
    }
#pragma omp taskwait
    for (int i = 0; i < 12; i++) {
#pragma omp task
      {
#pragma omp taskyield
        double v = y[i] * y[11 - i];
#pragma omp atomic
        s += v;
      }
    }
  }
  return s;
}

static double taskgroup(double *x) {
  double y[12], s = 0;
#pragma omp parallel
#pragma omp master
  {
#pragma omp taskgroup
    for (int i = 0; i < 12; i++) {
#pragma omp task shared(y)
      {
#pragma omp task shared(y)
        y[i] = x[i % N] * x[(i + 1) % N];
      }
    }
    for (int i = 0; i < 12; i++)
      s += y[i] * y[11 - i];
  }
  return s;
}

static double taskloop(double *x) {
  double y[30], s = 0, l = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(4)
    for (int i = 0; i < 15; i++)
      y[i] = sin(x[i % N]) * i;
#pragma omp taskloop num_tasks(3) reduction(+ : s) firstprivate(l)
    for (unsigned i = 0; i < 15; i++) {
      y[15 + i] = y[i] * x[i % N] + l;
      s += y[i];
    }
#pragma omp taskloop simd nogroup
    for (int i = 29; i >= 0; i -= 2)
      y[i] = y[i] * 2;
#pragma omp taskwait
#pragma omp taskloop lastprivate(l) collapse(2)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 2; j++)
        l = x[i] * x[j] * y[4];
  }
  for (int i = 0; i < 30; i++)
    s += y[i] * y[29 - i];
  return s * l;
}

static double taskloop_in_reduction(double *x) {
  double s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : s)
  {
#pragma omp taskloop in_reduction(+ : s)
    for (int i = 0; i < 15; i++)
      s += sin(x[i % N]) * i;
  }
  return s * s;
}

static double parallel_masked_taskloop(double *x) {
  double y[15], s = 0;
#pragma omp parallel masked taskloop shared(y)
  for (int i = 0; i < 15; i++)
    y[i] = sin(x[i % N]) * i;
#pragma omp parallel master taskloop simd shared(y)
  for (int i = 0; i < 15; i++)
    y[i] *= x[2];
  for (int i = 0; i < 15; i++)
    s += y[i] * y[14 - i];
  return s;
}

static double depend(double *x) {
  double a = 0, b = 0, c = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a) shared(a)
    a = x[0] * x[1];
#pragma omp task depend(in : a) depend(out : b) shared(a, b)
    b = a * x[2];
#pragma omp task depend(in : a) depend(inout : b) shared(a, b)
    b = sin(b) + a;
#pragma omp task depend(in : a, b) depend(out : c) shared(a, b, c)
    c = a * b * x[3];
  }
  return c * b;
}

static double depend_iterator(double *x) {
  double y[12], s = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 12; i++) {
#pragma omp task depend(out : y[i]) shared(y)
      y[i] = x[i % N] * x[0] + i;
    }
#pragma omp task depend(iterator(k = 0 : 12), in : y[k]) shared(y, s)
    for (int i = 0; i < 12; i++)
      s += y[i] * y[i];
  }
  return s;
}

static double depend_mutex(double *x) {
  double a = 1, b = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 12; i++) {
#pragma omp task depend(mutexinoutset : a) shared(a)
    a += x[i % N] * i;
#pragma omp task depend(inoutset : x[0])
    {
#pragma omp atomic
      b += x[i % N];
    }
  }
  return a * a * b;
}

static double depend_wavefront(double *x) {
  double y[6][6];
  for (int i = 0; i < 6; i++)
    y[i][0] = x[i], y[0][i] = x[i] * 0.5;
#pragma omp parallel
#pragma omp single
  for (int i = 1; i < 6; i++)
    for (int j = 1; j < 6; j++) {
#pragma omp task depend(in : y[i - 1][j], y[i][j - 1]) depend(out : y[i][j]) shared(y)
      y[i][j] = y[i - 1][j] * 0.5 + sin(y[i][j - 1]);
    }
  return y[5][5];
}

static double taskwait_depend(double *x) {
  double a = 0, b = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a) shared(a)
    a = x[0] * x[1];
#pragma omp taskwait depend(in : a)
    b = a * a;
#pragma omp task if (0) depend(in : a) shared(a, b)
    b += a;
  }
  return b;
}

static double aff(double *x) {
  double s[2] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp task affinity(s) shared(s)
    for (int i = 0; i < 20; i++)
      s[0] += sin(x[i % N] * i);
  }
  return s[0];
}

static double firstprivate_array_task(double *x) {
  double s = 0, w[3];
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8; i++) {
    w[0] = x[i % N];
    w[1] = w[0] * i;
    w[2] = sin(w[1]);
#pragma omp task firstprivate(w) shared(s)
    {
#pragma omp atomic
      s += w[0] * w[1] * w[2];
    }
  }
  return s;
}

static double red_task(double *x) {
  double s = 0;
#pragma omp parallel reduction(task, + : s)
#pragma omp single
  for (int i = 0; i < 12; i++) {
#pragma omp task in_reduction(+ : s) firstprivate(i)
    s += x[i % N] * x[i % N] * i;
  }
  return s * s;
}

static double red_taskgroup(double *x) {
  double s = 1, p = 1;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : s) task_reduction(* : p)
  for (int i = 0; i < 12; i++) {
#pragma omp task in_reduction(+ : s) in_reduction(* : p) firstprivate(i)
    {
      s += x[i % N] * x[i % N] * i;
      p *= 1 + 0.1 * x[i % N];
    }
  }
  return s * p;
}

static double red_for_task(double *x) {
  double s = 0;
#pragma omp parallel
#pragma omp for reduction(task, + : s)
  for (int i = 0; i < 12; i++) {
#pragma omp task in_reduction(+ : s) firstprivate(i)
    s += x[i % N] * x[i % N] * i;
  }
  return s * s;
}

int main(void) {
  CHECK(tasks_fib, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(tasks_loop, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(taskgroup, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(taskloop, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(taskloop_in_reduction, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(parallel_masked_taskloop, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(depend, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(depend_iterator, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(depend_mutex, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(depend_wavefront, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(taskwait_depend, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(aff, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(firstprivate_array_task, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(red_task, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(red_taskgroup, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(red_for_task, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
