/* Threads add the adjoints of numbers that they read at indices to copies of their own, and write at indices, too: perhaps
 * the same numbers, which a thread has read, or reads next. A store takes its adjoint from the shadow and from the copy.
 * flags: -fopenmp */
#include "on_teams.h"
enum { M = 3 * N };
struct mesh { int count; double *place, *speed, *force; int *from, *to; };

static NOINLINE void move(const struct mesh *m) {
#pragma omp parallel for
  for (int i = 0; i < m->count; i++) {
    int k = m->to[i], a = m->from[i], b = m->from[(i + 1) % m->count];
    m->force[k] += sin(m->place[a]) * m->place[b]; /* each thread has its own k */
    m->force[k] *= m->force[k] + m->place[a];
    if (i % 3)
      m->speed[k] = m->force[k] * m->place[b];
    m->speed[k] += m->speed[k] * 0.5 + m->force[k];
  }
}
static double result(const struct mesh *m) {
  double sum = 0;
  for (int i = 0; i < M; i++)
    sum += (m->place[i] * m->speed[i] + m->force[i]) * (1 + i % 3);
  return sum;
}
static double by_indices(double *x) {
  double place[M], speed[M], force[M];
  int from[M], to[M];
  struct mesh m = {M, place, speed, force, from, to};
  for (int i = 0; i < M; i++)
    place[i] = x[i % N], speed[i] = x[(i + 5) % N] * x[i % N], force[i] = 0.1 * x[(i + 3) % N], from[i] = i * 7 % M, to[i] = i * 5 % M;
  move(&m);
  move(&m);
  return result(&m);
}
/* all three are parts of one array, one behind the other in both orders */
static double in_one_array(double *x, int is_turned) {
  double all[3 * M];
  int from[M], to[M];
  struct mesh m = {M, all + (is_turned ? 2 * M : 0), all + M, all + (is_turned ? 0 : 2 * M), from, to};
  for (int i = 0; i < 3 * M; i++)
    all[i] = x[i % N] * (1 + i % 2);
  for (int i = 0; i < M; i++)
    from[i] = i * 7 % M, to[i] = M - 1 - i;
  move(&m);
  return result(&m);
}
static double in_order(double *x) { return in_one_array(x, 0); }
static double turned(double *x) { return in_one_array(x, 1); }
/* places and forces are the same numbers: a thread reads what it writes, and nothing else */
static double same_numbers(double *x) {
  double a[M], speed[M];
  int own[M + 1];
  struct mesh m = {M, a, speed, a, own, own};
  for (int i = 0; i < M; i++)
    a[i] = x[i % N], speed[i] = x[(i + 1) % N], own[i] = i * 4 % M;
#pragma omp parallel for
  for (int i = 0; i < m.count; i++) {
    int k = m.to[i];
    m.force[k] = cos(m.place[m.from[i]]) * m.place[k];
    m.speed[k] = m.place[k] * m.force[m.from[i]];
    m.place[k] *= m.speed[k];
  }
  return result(&m);
}
/* what one phase has read, the next one writes; no other thread's copy may hold it then */
static double phases(double *x) {
  double place[M], speed[M], force[M], sum = 0;
  int from[M], to[M];
  struct mesh m = {M, place, speed, force, from, to};
  for (int i = 0; i < M; i++)
    place[i] = x[i % N], speed[i] = 0, force[i] = x[(i + 2) % N], from[i] = i * 11 % M, to[i] = i * 5 % M;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < m.count; i++)
      m.speed[m.to[i]] = m.place[m.from[i]] * m.force[m.from[(i + 3) % M]];
#pragma omp for
    for (int i = 0; i < m.count; i++)
      m.place[m.from[i]] = m.speed[m.to[i]] * m.speed[i];
#pragma omp for
    for (int i = 0; i < m.count; i++)
      m.force[m.from[i]] += m.place[m.to[i]] * m.place[i];
  }
  for (int i = 0; i < M; i++)
    sum += place[i] * i + force[i] * force[i];
  return sum;
}
/* numbers of four bytes */
static float small[M], other[M];
static double of_floats(double *x) {
  static int from[M], to[M];
  double sum = 0;
  for (int i = 0; i < M; i++)
    small[i] = (float)x[i % N], other[i] = 0.5f, from[i] = i * 7 % M, to[i] = i * 5 % M;
#pragma omp parallel for
  for (int i = 0; i < M; i++) {
    other[to[i]] += small[from[i]] * small[from[i]];
    other[to[i]] *= other[to[i]];
  }
  for (int i = 0; i < M; i++)
    sum += other[i] * (1 + i % 5) * 1e-2;
  return sum;
}
#define REQUESTS(f)                                                                                                    \
  static void reverse_##f(double *x, double *dx) { __enzyme_autodiff((void *)f, enzyme_dup, x, dx); }                  \
  static double forward_##f(double *x, double *d) { return __enzyme_fwddiff((void *)f, enzyme_dup, x, d); }
REQUESTS(by_indices)
REQUESTS(in_order)
REQUESTS(turned)
REQUESTS(same_numbers)
REQUESTS(phases)
REQUESTS(of_floats)
/* differences of numbers of four bytes tell too little: one thread against several */
static void like_one_thread(void) {
  double x[N], want[N] = {0};
  for (int i = 0; i < N; i++)
    x[i] = 0.3 + 0.4 * sin(i * 1.3);
  omp_set_num_threads(1);
  reverse_of_floats(x, want);
  for (int threads = 2; threads < 9; threads += 3) {
    double got[N] = {0};
    omp_set_num_threads(threads);
    reverse_of_floats(x, got);
    for (int i = 0; i < N; i++)
      same("floats", i, got[i], want[i], 1e-5);
  }
  SAME(forward_of_floats(x, want) > 0, 1);
}
int main(void) {
  ON_TEAMS(by_indices);
  ON_TEAMS(in_order);
  ON_TEAMS(turned);
  ON_TEAMS(same_numbers);
  ON_TEAMS(phases);
  like_one_thread();
  return failures;
}
