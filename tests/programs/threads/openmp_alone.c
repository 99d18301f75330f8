/* Constructs of OpenMP that keep regions in teams of one: waits between iterations, variables of threads, cancel.
 * flags: -fopenmp -fopenmp-version=60 -latomic */
#include "../check.h"
#include <complex.h>
#include <omp.h>

enum { N = 6 };

static double ordered_doacross(double *x) {
  double y[12][5], s = 0;
  for (int j = 0; j < 5; j++)
    y[0][j] = x[j];
  for (int i = 0; i < 12; i++)
    y[i][0] = x[i % N] * x[0];
#pragma omp parallel for ordered(2) schedule(static, 1)
  for (int i = 1; i < 12; i++)
    for (int j = 1; j < 5; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      y[i][j] = y[i - 1][j] * x[j] + sin(y[i][j - 1]);
#pragma omp ordered depend(source)
    }
  for (int i = 0; i < 12; i++)
    s += y[i][4] * y[11 - i][4];
  return s;
}

static double doacross_clause(double *x) {
  double y[14], s = 0;
  y[0] = x[0];
#pragma omp parallel for ordered(1)
  for (int i = 1; i < 14; i++) {
#pragma omp ordered doacross(sink : i - 1)
    y[i] = y[i - 1] * x[i % N] + x[2];
#pragma omp ordered doacross(source:)
  }
  for (int i = 0; i < 14; i++)
    s += y[i];
  return s;
}

static double red_float_ld(double *x) {
  long double s = 0;
  float g = 0;
#pragma omp parallel for reduction(+ : s, g)
  for (int i = 0; i < 12; i++) {
    s += x[i % N] * x[i % N];
    g += i;
  }
  return (double)(s * s) * g;
}

static double atomics(double *x) {
  double s = 0, p = 1, d = 1e3, w = 0, r = 0;
#pragma omp parallel for
  for (int i = 0; i < 20; i++) {
    double v;
#pragma omp atomic
    s += x[i % N] * i;
#pragma omp atomic update
    p *= 1.1 + x[i % N];
#pragma omp atomic
    d = d - x[i % N] * x[0];
    if (i == 7) {
#pragma omp atomic write
      w = x[1] * x[2];
    }
  }
#pragma omp atomic read
  r = w;
  return s * p + d + r;
}

static double atomic_capture(double *x) {
  double s = 0, got = 0;
  double before[20];
#pragma omp parallel for ordered
  for (int i = 0; i < 20; i++) {
#pragma omp ordered
    {
      double v;
#pragma omp atomic capture
      {
        v = s;
        s += x[i % N] * i;
      }
      before[i] = v;
    }
  }
#pragma omp atomic capture
  got = s *= x[0];
  for (int i = 0; i < 20; i++)
    got += before[i] * before[i];
  return got;
}

static double atomic_compare(double *x) {
  double m = -1e9, l = 1e9;
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    double v = x[i] * x[i] * (i + 1);
#pragma omp atomic compare
    if (m < v)
      m = v;
#pragma omp atomic compare
    if (l > v) {
      l = v;
    }
  }
  return m * l;
}

static double atomic_seqcst(double *x) {
  double s = 0;
  float g = 0;
  long k = 0;
#pragma omp parallel for
  for (int i = 0; i < 20; i++) {
#pragma omp atomic seq_cst
    s += x[i % N];
#pragma omp atomic relaxed
    g += (float)0.5f;
#pragma omp atomic
    k++;
  }
  return s * s + g * k * x[0];
}

static double atomic_long_double(double *x) {
  long double s = 0;
#pragma omp parallel for
  for (int i = 0; i < 20; i++) {
#pragma omp atomic
    s += x[i % N] * i;
  }
  return (double)(s * s);
}

static double atomic_complex(double *x) {
  double complex s = 0, p = 1;
#pragma omp parallel for
  for (int i = 0; i < 20; i++) {
#pragma omp atomic
    s += x[i % N] + I * x[(i + 1) % N];
#pragma omp atomic
    p *= 1 + 0.1 * I * x[i % N];
  }
  return creal(s * s * p);
}

static double teams_reduction(double *x) {
  double y[20], s = 0;
#pragma omp teams distribute reduction(+ : s)
  for (int i = 0; i < 20; i++)
    s += x[i % N] * x[i % N];
  return s * s;
}

static double single_copyprivate(double *x) {
  double s = 0;
#pragma omp parallel
  {
    double a = 0;
    int k = 0;
#pragma omp single copyprivate(a, k)
    {
      a = x[0] * x[1];
      k = 2;
    }
#pragma omp for reduction(+ : s)
    for (int i = 0; i < 10; i++)
      s += a * x[i % N] * k;
  }
  return s;
}

static double flush(double *x) {
  double a = 0;
#pragma omp parallel
  {
#pragma omp single
    a = x[0] * x[1];
#pragma omp flush
#pragma omp flush(a)
  }
  return a * a;
}

static double tp_of_threadprivate, tq_of_threadprivate[3] = {1, 2, 3};
#pragma omp threadprivate(tp_of_threadprivate, tq_of_threadprivate)
static double threadprivate(double *x) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 20; i++) {
    tp_of_threadprivate = x[i % N] * i;
    tq_of_threadprivate[1] = sin(tp_of_threadprivate);
    s += tp_of_threadprivate * tq_of_threadprivate[1];
  }
  return s;
}

static double tp_of_copyin, tq_of_copyin[3] = {1, 2, 3};
#pragma omp threadprivate(tp_of_copyin, tq_of_copyin)
static double copyin(double *x) {
  double s = 0;
  tp_of_copyin = x[0] * x[1];
  tq_of_copyin[0] = x[2];
  tq_of_copyin[2] = x[3];
#pragma omp parallel for reduction(+ : s) copyin(tp_of_copyin, tq_of_copyin)
  for (int i = 0; i < 20; i++)
    s += tp_of_copyin * x[i % N] * tq_of_copyin[i % 3];
  return s * tp_of_copyin;
}

static double tp_of_copyprivate_tp;
#pragma omp threadprivate(tp_of_copyprivate_tp)
static double copyprivate_tp(double *x) {
  double s = 0;
#pragma omp parallel
  {
#pragma omp single copyprivate(tp_of_copyprivate_tp)
    tp_of_copyprivate_tp = x[0] * x[1];
#pragma omp for reduction(+ : s)
    for (int i = 0; i < 20; i++)
      s += tp_of_copyprivate_tp * x[i % N];
  }
  return s;
}

static double queries(double *x) {
  double s = 0;
#pragma omp parallel reduction(+ : s)
  {
    int n = omp_get_num_threads(), t = omp_get_thread_num(), m = omp_get_max_threads(), p = omp_get_num_procs(),
        l = omp_get_level(), a = omp_get_active_level();
    int an = omp_get_ancestor_thread_num(0), ts = omp_get_team_size(0), ip = omp_in_parallel(), dy = omp_get_dynamic(),
        lim = omp_get_thread_limit(), ma = omp_get_max_active_levels();
    int pl = omp_get_num_places(), pb = omp_get_proc_bind(), fi = omp_in_final(), c = omp_get_cancellation(),
        sl = omp_get_supported_active_levels(), ie = 0, mtp = omp_get_max_task_priority();
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    omp_set_schedule(kind, chunk);
    double w = omp_get_wtime();
    if (t == 0)
      s += x[0] * x[1];
    if ((n | m | p | l | a | an | ts | ip | dy | lim | ma | pl | pb | fi | c | sl | ie | mtp) < 0 || w < 0)
      s += x[2];
  }
  return s * s;
}

static double locks(double *x) {
  double s = 0, t = 0;
  omp_lock_t l;
  omp_init_lock(&l);
  omp_nest_lock_t m;
  omp_init_nest_lock(&m);
  omp_lock_t h;
  omp_init_lock_with_hint(&h, omp_sync_hint_contended);
#pragma omp parallel for
  for (int i = 0; i < 20; i++) {
    omp_set_lock(&l);
    s += x[i % N] * i;
    omp_unset_lock(&l);
    omp_set_nest_lock(&m);
    omp_set_nest_lock(&m);
    t += x[i % N];
    omp_unset_nest_lock(&m);
    omp_unset_nest_lock(&m);
    while (!omp_test_lock(&h))
      ;
    omp_unset_lock(&h);
  }
  omp_destroy_lock(&l);
  omp_destroy_nest_lock(&m);
  omp_destroy_lock(&h);
  return s * s + t;
}

static double cancel_for(double *x) {
  double s = 0;
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < 20; i++) {
#pragma omp cancel for if (i > 100)
#pragma omp cancellation point for
#pragma omp atomic
    s += x[i % N] * i;
  }
  return s * s;
}

static double cancel_parallel_sections_taskgroup(double *x) {
  double s = x[0], t = 0;
#pragma omp parallel
  {
#pragma omp cancel parallel if (x[0] > 100)
#pragma omp sections
    {
#pragma omp section
      {
        t = x[1] * x[2];
#pragma omp cancel sections if (x[0] > 100)
      }
#pragma omp section
      s *= x[3];
    }
#pragma omp single
    {
#pragma omp taskgroup
      {
#pragma omp task shared(t)
        {
          t *= 2;
#pragma omp cancel taskgroup if (x[0] > 100)
#pragma omp cancellation point taskgroup
        }
      }
    }
  }
  return s * t;
}

static double teams(double *x) {
  double y[20], s = 0;
#pragma omp teams num_teams(2) thread_limit(2)
#pragma omp distribute parallel for
  for (int i = 0; i < 20; i++)
    y[i] = sin(x[i % N] * i);
  for (int i = 0; i < 20; i++)
    s += y[i] * y[19 - i];
  return s;
}

static double teams_distribute_simd_loop(double *x) {
  double y[20], s = 0;
#pragma omp teams loop
  for (int i = 0; i < 20; i++)
    y[i] = x[i % N] * x[i % N];
#pragma omp teams distribute parallel for simd dist_schedule(static, 3) schedule(dynamic, 2)
  for (int i = 0; i < 20; i++)
    y[i] *= x[i % N];
  for (int i = 0; i < 20; i++)
    s += y[i] * y[19 - i];
  return s;
}

static double allocate(double *x) {
  double s = 0, t = 0, *h = omp_alloc(20 * sizeof *h, omp_default_mem_alloc);
  double z[3];
#pragma omp allocate(z) allocator(omp_default_mem_alloc)
#pragma omp parallel for
  for (int i = 0; i < 20; i++)
    h[i] = x[i % N] * i;
#pragma omp parallel for private(t) allocate(omp_default_mem_alloc : t) reduction(+ : s)
  for (int i = 0; i < 20; i++) {
    t = h[i] * x[0];
    s += t * t;
  }
  z[0] = s;
  z[1] = s * x[1];
  omp_free(h, omp_default_mem_alloc);
  return s + z[1];
}

static double error_directive(double *x) {
  double y[20], s = 0;
#pragma omp parallel for
  for (int i = 0; i < 20; i++) {
    if (x[0] > 1e5) {
#pragma omp error at(execution) severity(fatal) message("too large")
    }
    y[i] = sin(x[i % N] * i);
  }
  for (int i = 0; i < 20; i++)
    s += y[i] * y[19 - i];
  return s;
}

static double untied_tasks(double *x) {
  double y[12], s = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 12; i++) {
#pragma omp task firstprivate(i) shared(y) untied
    {
      y[i] = sin(x[i % N]) * i;
#pragma omp taskyield
      y[i] *= y[i];
    }
  }
  for (int i = 0; i < 12; i++)
    s += y[i] * y[11 - i];
  return s;
}

static double sum_of_tasks;

static void add_as_a_task(const double *x, int i) {
#pragma omp task in_reduction(+ : sum_of_tasks) firstprivate(i)
  sum_of_tasks += x[i % N] * x[i % N] * i;
}

static double reduction_of_a_caller(double *x) {
  sum_of_tasks = x[0];
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum_of_tasks)
  for (int i = 0; i < 12; i++)
    add_as_a_task(x, i);
  return sum_of_tasks * sum_of_tasks;
}

int main(void) {
  CHECK(ordered_doacross, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(doacross_clause, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(red_float_ld, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(atomics, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(atomic_capture, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(atomic_compare, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(atomic_seqcst, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(atomic_long_double, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(atomic_complex, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(teams_reduction, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(single_copyprivate, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(flush, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(threadprivate, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(copyin, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(copyprivate_tp, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(queries, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(locks, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(cancel_for, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(untied_tasks, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(reduction_of_a_caller, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(cancel_parallel_sections_taskgroup, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(teams, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(teams_distribute_simd_loop, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(allocate, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(error_directive, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
