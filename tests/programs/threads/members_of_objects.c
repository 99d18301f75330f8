/* Regions read arrays by pointers that are members of a captured object, at indices that they read, too: each thread adds
 * the adjoints to copies of its own. Each step allocates work space, which a later region reads.
 * flags: -fopenmp */
#include "on_teams.h"
enum { M = 2 * N };
struct mesh { int count; double weight; double *place, *speed, *mass; int *from; double *force; };

static void forces(const struct mesh *m, const double *work) {
#pragma omp parallel for
  for (int i = 0; i < m->count; i++) {
    int a = m->from[i], b = m->from[(i + 1) % m->count];
    m->force[i] = work[i] * m->mass[a] * sin(m->place[a] - m->place[b]) + m->weight * m->speed[a] * m->speed[b];
  }
}
static double steps(double *x) {
  double place[M], speed[M], mass[M], force[M], sum = 0;
  int from[M];
  struct mesh m = {M, 0.3, place, speed, mass, from, force};
  for (int i = 0; i < M; i++)
    place[i] = x[i % N], speed[i] = x[(i + 5) % N] * x[i % N], mass[i] = 1 + x[(i + 9) % N], from[i] = i * 7 % M;
  for (int t = 0; t < 3; t++) {
    double *work = malloc(M * sizeof *work);
#pragma omp parallel for
    for (int i = 0; i < M; i++)
      work[i] = cos(place[i] + t) * speed[i];
    forces(&m, work);
#pragma omp parallel for
    for (int i = 0; i < M; i++)
      m.speed[i] += 0.1 * m.force[i] * work[i], m.place[i] += 0.1 * m.speed[i];
    free(work);
  }
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < M; i++)
    sum += place[i] * speed[i];
  return sum;
}
/* the object and its arrays were made elsewhere; members are read where no iteration may run */
static NOINLINE struct mesh *made(double *x, int count) {
  struct mesh *m = malloc(sizeof *m);
  *m = (struct mesh){count, x[0], malloc(M * 8), malloc(M * 8), malloc(M * 8), malloc(M * 4), malloc(M * 8)};
  for (int i = 0; i < M; i++)
    m->place[i] = x[i % N], m->speed[i] = x[(i + 5) % N], m->mass[i] = 1 + x[(i + 9) % N], m->from[i] = i * 5 % M;
  return m;
}
static double of_made(double *x) {
  struct mesh *some = made(x, M), *none = made(x, 0);
  double sum = 0;
  forces(some, some->mass);
  none->place = none->speed = NULL;
  forces(none, NULL);
  for (int i = 0; i < M; i++)
    sum += some->force[i] * some->force[i];
  return sum;
}
/* a member is replaced while the region runs */
static double replaced(double *x) {
  double first[N], second[N], out[N], sum = 0;
  struct { int count; double *now; } m = {N, first};
  for (int i = 0; i < N; i++)
    first[i] = x[i], second[i] = x[i] * x[i] + i * 0.1;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < m.count; i++)
      out[i] = m.now[i * 3 % N];
#pragma omp single
    m.now = second;
#pragma omp for
    for (int i = 0; i < m.count; i++)
      out[i] *= m.now[i * 3 % N];
  }
  for (int i = 0; i < N; i++)
    sum += out[i] * (i + 1);
  return sum;
}
#define REQUESTS(f)                                                                                                    \
  static void reverse_##f(double *x, double *dx) { __enzyme_autodiff((void *)f, enzyme_dup, x, dx); }                  \
  static double forward_##f(double *x, double *d) { return __enzyme_fwddiff((void *)f, enzyme_dup, x, d); }
REQUESTS(steps)
REQUESTS(of_made)
REQUESTS(replaced)
int main(void) {
  ON_TEAMS(steps);
  ON_TEAMS(of_made);
  ON_TEAMS(replaced);
  return failures;
}
