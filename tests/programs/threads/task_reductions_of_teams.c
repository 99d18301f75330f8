/* Reductions of tasks: each task has a copy of its own, and the end of the group combines them.
 * flags: -fopenmp */
#include "on_teams.h"

static int threads_seen;

static double grouped(double *x) {
  double s = 1;
#pragma omp parallel
#pragma omp single
  {
    threads_seen = omp_get_num_threads();
#pragma omp taskgroup task_reduction(+ : s)
    for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : s) firstprivate(i)
      s += sin(x[i]) * x[(i + 1) % N];
    }
    s = s * s + x[0];
  }
  return s * s;
}

/* the adjoint of a factor needs what the task has multiplied before */
static double product(double *x) {
  double p = 2;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(* : p)
  for (int i = 0; i < N; i += 3) {
#pragma omp task in_reduction(* : p) firstprivate(i)
    for (int k = i; k < i + 3 && k < N; k++)
      p *= 1 + 0.1 * x[k] * x[k];
  }
  return p * sin(p);
}

/* several variables, of several types; tasks of tasks */
static double several(double *x) {
  double s = 0, v[4] = {1, 2, 3, 4};
  float f = 0.5f;
  int count = 3;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : s, f, count, v)
  for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : s, v, count) firstprivate(i)
    {
      s += x[i] * x[i];
      v[i % 4] += exp(x[i]);
      count++;
#pragma omp task in_reduction(+ : v, s) firstprivate(i)
      {
        v[(i + 1) % 4] += x[i] * x[0];
        s += sin(x[i]);
      }
    }
#pragma omp task in_reduction(+ : f) firstprivate(i)
    f += i % 3;
  }
  return s * count * v[0] + v[1] * v[2] - v[3] + s * f;
}

static double of_a_part(double *x) {
  double v[9];
  for (int i = 0; i < 9; i++)
    v[i] = x[i];
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : v[2 : 5])
  for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : v[2 : 5]) firstprivate(i)
    v[2 + i % 5] += x[i] * sin(x[(i + 2) % N]);
  }
  double sum = 0;
  for (int i = 0; i < 9; i++)
    sum += v[i] * v[8 - i] * (i + 1);
  return sum;
}

static double of_a_loop(double *x) {
  double s = 0, p = 1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : s) grainsize(5)
    for (int i = 0; i < N; i++)
      s += sin(x[i]) * x[(i + 7) % N];
#pragma omp taskgroup task_reduction(* : p)
    {
#pragma omp taskloop in_reduction(* : p) num_tasks(6)
      for (int i = 0; i < N; i++)
        p *= 1 + 0.1 * x[i] * s;
    }
  }
  return s * p;
}

static double of_a_region(double *x) {
  double s = 0;
#pragma omp parallel reduction(task, + : s)
  {
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : s) firstprivate(i)
      s += x[i] * x[i] * cos(x[0]);
    }
    if (omp_get_thread_num() == 0)
      s += x[1];
  }
  return s * s;
}

static double of_divided_loops(double *x) {
  double s = 0, p = 1, q = 1;
#pragma omp parallel
  {
#pragma omp for reduction(task, + : s)
    for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : s) firstprivate(i)
      s += x[i] * x[(i + 1) % N];
      s += x[i];
    }
#pragma omp for reduction(task, * : p)
    for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(* : p) firstprivate(i)
      p *= 1 + 0.1 * x[i] * x[i];
    }
#pragma omp sections reduction(task, * : q)
    {
#pragma omp section
      {
#pragma omp task in_reduction(* : q)
        q *= x[0] * s;
      }
#pragma omp section
      q *= x[1] + p;
    }
  }
  return s * p * q;
}

/* a sum in a critical section, and tasks that take no lock */
static double beside_a_section(double *x) {
  double part[N], p = 1;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i)
      part[i] = sin(x[i]) * x[(i + 1) % N];
    }
#pragma omp taskwait
#pragma omp critical
    p *= 1;
#pragma omp barrier
#pragma omp for reduction(* : p)
    for (int i = 0; i < N; i++)
      p *= 1 + 0.1 * part[i] * part[N - 1 - i];
  }
  return p * x[0];
}

typedef struct {
  double most, weight;
  int at;
} greatest;
static void take(greatest *to, const greatest *part) {
  if (part->most > to->most)
    *to = *part;
}
#pragma omp declare reduction(greatest : greatest : take(&omp_out, &omp_in))                                           \
    initializer(omp_priv = (greatest){-1, omp_orig.weight, -1})

static double declared(double *x) {
  greatest g = {-2, x[3], 0};
  double m = 100;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(greatest : g) task_reduction(min : m)
  for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(greatest : g) in_reduction(min : m) firstprivate(i)
    {
      double y = sin(x[i] * (1 + i % 3)) * g.weight;
      if (y > g.most) {
        g.most = y;
        g.at = i;
      }
      m = fmin(m, x[i] * x[i] + 0.01 * i);
    }
  }
  return g.most * x[g.at] * g.weight + m;
}

/* groups in groups, each of its own */
static double tree_of(double *x, int from, int count) {
  double s = 0;
  if (count <= 3) {
    for (int i = from; i < from + count; i++)
      s += x[i] * sin(x[i]);
    return s;
  }
#pragma omp taskgroup task_reduction(+ : s)
  {
#pragma omp task in_reduction(+ : s)
    s += tree_of(x, from, count / 2);
#pragma omp task in_reduction(+ : s)
    s += tree_of(x, from + count / 2, count - count / 2) * 1.5;
  }
  return s * cos(s);
}

static double tree(double *x) {
  double s = 0;
#pragma omp parallel
#pragma omp single
  s = tree_of(x, 0, N);
  return s;
}

/* the copies of one step are not those of the next */
static double steps(double *x) {
  double s = x[0];
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < 4; k++) {
    double before = s;
#pragma omp taskgroup task_reduction(+ : s)
    for (int i = 0; i < N; i += 4) {
#pragma omp task in_reduction(+ : s) firstprivate(i, before)
      s += 0.1 * sin(x[i] * before);
    }
  }
  return s * s;
}

GRADIENT(grouped)
GRADIENT(product)
GRADIENT(several)
GRADIENT(of_a_part)
GRADIENT(of_a_loop)
GRADIENT(of_a_region)
GRADIENT(of_divided_loops)
GRADIENT(beside_a_section)
GRADIENT(declared)
GRADIENT(tree)
GRADIENT(steps)

int main(void) {
  ON_TEAMS(grouped);
#ifndef SERIAL_REGIONS
  failures += threads_seen != 8;
#endif
  ON_TEAMS(product);
  ON_TEAMS(several);
  ON_TEAMS(of_a_part);
  ON_TEAMS(of_a_loop);
  ON_TEAMS(of_a_region);
  ON_TEAMS(of_divided_loops);
  ON_TEAMS(beside_a_section);
  ON_TEAMS(declared);
  ON_TEAMS(tree);
  ON_TEAMS(steps);
  return failures;
}
