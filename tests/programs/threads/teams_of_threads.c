/* Regions of OpenMP on teams of threads: loops with all schedules, reductions, barriers, sections in an order.
 * flags: -fopenmp */
#include "on_teams.h"

static double statics(double *x) {
  double y[N], s = 0;
#pragma omp parallel for schedule(static, 3)
  for (int i = 0; i < N; i++) y[i] = sin(x[i]) * x[(i + 1) % N];
  for (int i = 0; i < N; i++) s += y[i] * (i + 1);
  return s;
}
static double dynamic(double *x) {
  double y[N], s = 0;
#pragma omp parallel for schedule(dynamic, 2)
  for (int i = 0; i < N; i++) y[i] = x[i] * x[(i * 7) % N];
#pragma omp parallel for schedule(guided)
  for (long i = N - 1; i >= 0; i -= 2) y[i] *= exp(x[i]);
#pragma omp parallel for schedule(runtime)
  for (unsigned i = 0; i < N; i++) y[i] += x[i] * y[i];
  for (int i = 0; i < N; i++) s += y[i] * (i + 1);
  return s;
}
static double reductions(double *x) {
  double s = 0, p = 1, m = -1e9; float f = 0; int k = 0;
#pragma omp parallel for reduction(+ : s) reduction(* : p) reduction(max : m) reduction(+ : f, k)
  for (int i = 0; i < N; i++) { s += x[i] * x[i]; p *= 1 + x[i] * 0.01; m = fmax(m, x[i] + i); f += (float)i; k += i; }
  return s * p + m * m + f * k * x[0] * 1e-6;
}
static double barriers(double *x) {
  double y[N], z[N], s = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < N; i++) y[i] = x[i] * x[i];
#pragma omp for
    for (int i = 0; i < N; i++) z[i] = y[(i + 5) % N] * x[i];
#pragma omp for reduction(+ : s)
    for (int i = 0; i < N; i++) { s += z[(i * 3) % N] * y[i]; y[i] = 0; }
  }
  return s;
}
static double exchange(double *x) {
  double a[16], out[16], s = 0;
  int n = 0;
#pragma omp parallel num_threads(4)
  {
    int me = omp_get_thread_num(), all = omp_get_num_threads();
#pragma omp single
    n = all;
    a[me] = x[me] * x[me];
#pragma omp barrier
    double t = a[(me + 1) % all];
#pragma omp barrier
    a[me] = sin(t);
#pragma omp barrier
    out[me] = t * t * a[(me + 1) % all] + a[me];
  }
  for (int i = 0; i < n; i++) s += out[i] * (i + 1);
  return s;
}
static double criticals(double *x) {
  double s = 1, p = 1, q = 0;
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    double t = sin(x[i]);
#pragma omp critical
    s = s * (1 + 0.1 * t);
#pragma omp critical(other)
    { p *= 1 + t * 0.01; }
#pragma omp atomic
    q += t * x[i];
  }
  return s * p * q;
}
static double ordereds(double *x) {
  double s = 0.5;
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < N; i++) {
    double t = cos(x[i]);
#pragma omp ordered
    s = s * t + x[i];
  }
  return s;
}
static double privates(double *x) {
  double c = x[3] * 2, last = 0, s = 0, w[4] = {x[0], x[1], x[2], 1};
#pragma omp parallel for firstprivate(c, w) lastprivate(last) reduction(+ : s)
  for (int i = 0; i < N; i++) {
    w[i % 3] = w[i % 3] * 0.5 + 0 * c;
    last = c * x[i];
    s += last * last + x[i] * w[3];
  }
  return s + last;
}
static double section(double *x) {
  double a = 0, b = 0, c = 0;
#pragma omp parallel sections
  {
#pragma omp section
    a = x[0] * x[1];
#pragma omp section
    b = sin(x[2]) * x[0];
#pragma omp section
    for (int i = 0; i < N; i++) c += x[i] * x[i] * x[i];
  }
  return a * b * c;
}
__attribute__((noinline)) static double inner(double *x, int i, double *y) { *y = x[i] * x[i + 1]; return exp(x[i]) * *y; }
static double called(double *x) {
  double y[N], z[N], s = 0;
#pragma omp parallel for
  for (int i = 0; i < N - 1; i++) { double t; z[i] = inner(x, i, &t); y[i] = t * inner(x, i, &y[i]); }
  for (int i = 0; i < N - 1; i++) s += y[i] * z[i];
  return s;
}
static double masters(double *x) {
  double t = 0, u = 0, s = 0, v[N];
#pragma omp parallel
  {
#pragma omp master
    t = x[0] * x[1];
#pragma omp single
    u = x[2] * x[3];
#pragma omp barrier
#pragma omp for nowait
    for (int i = 0; i < N; i++) v[i] = x[i] * t * u;
  }
  for (int i = 0; i < N; i++) s += v[i] * v[i];
  return s;
}
static double loops(double *x) {
  double *u = malloc(N * 8), *v = malloc(N * 8), s = 0;
  memcpy(u, x, N * 8);
  for (int t = 0; t < 6; t++) {
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++) v[i] = u[i] + 0.1 * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
    v[0] = u[0]; v[N - 1] = u[N - 1];
    double *w = u; u = v; v = w;
  }
  for (int i = 0; i < N; i++) s += u[i] * u[i];
  free(u), free(v);
  return s;
}
static double locks(double *x) {
  omp_lock_t l; omp_init_lock(&l);
  double s = 1;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < N; i++) { omp_set_lock(&l); s = s * 0.9 + 0 * x[i] + s * 0.01 * x[i]; omp_unset_lock(&l); }
  omp_destroy_lock(&l);
  return s;
}
static double collapses(double *x) {
  double a[6][6], s = 0;
#pragma omp parallel for collapse(2) num_threads(2)
  for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++) a[i][j] = x[i] * x[j + 6];
#pragma omp parallel for reduction(+ : s) if (N < 10)
  for (int i = 0; i < 36; i++) s += a[i / 6][i % 6] * (&a[0][0])[35 - i];
  return s;
}

/* indices that are read: some numbers lie beyond the part of which threads have copies */
enum { ROWS = 300, DISTANCE = 601 };
static int column[ROWS];
static double rows(double *x) {
  double *v = calloc(ROWS * DISTANCE, sizeof *v), y[ROWS], sum = 0;
  for (int i = 0; i < ROWS; i++)
    column[i] = i * 37 % ROWS * DISTANCE;
#pragma omp parallel for
  for (int i = 0; i < ROWS; i++)
    v[i * DISTANCE] = x[i % N] * (1 + 0.01 * i);
#pragma omp parallel for
  for (int i = 0; i < ROWS; i++) {
    double row = 0;
    for (int k = 0; k < 5; k++)
      row += v[column[(i * k) % ROWS]] * sin(v[column[(i + k) % ROWS]]);
    y[i] = row;
  }
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < ROWS; i++)
    sum += y[i] * y[i] * 0.01;
  free(v);
  return sum;
}

/* a barrier in a function that has no numbers */
static __attribute__((noinline)) void wait_for_all(void) {
#pragma omp barrier
}
static double far_barriers(double *x) {
  double a[N], b[N], sum = 0;
#pragma omp parallel
  {
    int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int k = thread; k < N; k += threads)
      a[k] = x[k] * x[k];
    wait_for_all();
    for (int k = thread; k < N; k += threads)
      b[k] = sin(a[(k + 1) % N]) * a[k];
    wait_for_all();
    for (int k = thread; k < N; k += threads)
      a[k] = b[(k + 1) % N] * x[0];
  }
  for (int i = 0; i < N; i++)
    sum += a[i] * a[i];
  return sum;
}

GRADIENT(statics)
GRADIENT(dynamic)
GRADIENT(reductions)
GRADIENT(barriers)
GRADIENT(exchange)
GRADIENT(criticals)
GRADIENT(ordereds)
GRADIENT(privates)
GRADIENT(section)
GRADIENT(called)
GRADIENT(masters)
GRADIENT(loops)
GRADIENT(locks)
GRADIENT(collapses)
GRADIENT(far_barriers)
GRADIENT(rows)

int main(void) {
  ON_TEAMS(statics);
  ON_TEAMS(dynamic);
  ON_TEAMS(reductions);
  ON_TEAMS(barriers);
#ifndef SERIAL_REGIONS /* what it returns depends on the number of threads */
  ON_TEAMS(exchange);
#endif
  ON_TEAMS(criticals);
  ON_TEAMS(ordereds);
  ON_TEAMS(privates);
  ON_TEAMS(section);
  ON_TEAMS(called);
  ON_TEAMS(masters);
  ON_TEAMS(loops);
  ON_TEAMS(locks);
  ON_TEAMS(collapses);
  ON_TEAMS(far_barriers);
  ON_TEAMS(rows);
  return failures;
}
