/* Variables of which each thread has its own: threadprivate, copyin, _Thread_local.
 * flags: -fopenmp */
#include "on_teams.h"

static double place, places[8], kept;
#pragma omp threadprivate(place, places, kept)
static _Thread_local double room[N];
static _Thread_local struct {
  float small;
  int count;
  double large;
} mixed;

/* Scratch memory, which each iteration fills. */
static void fill(double x, int n) {
  place = sin(x);
  for (int k = 0; k < n; k++)
    places[k] = (k ? places[k - 1] : 1) * (x + k * place);
}
static double scratch(double *x) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 3)
  for (int i = 0; i < N; i++) {
    fill(x[i], 8);
    for (int k = 0; k < 8; k++)
      sum += places[k] * 0.01 * (k + i);
  }
  return sum;
}

/* Each thread's copy of what the first one has, and what it makes of it. */
static double copied(double *x) {
  double sum = 0;
  place = x[0] * x[1];
  places[2] = x[2];
#pragma omp parallel copyin(place, places) reduction(+ : sum)
  {
    place = place * places[2];
#pragma omp for
    for (int i = 0; i < N; i++)
      sum += place * x[i] * (i % 3);
  }
  return sum + places[2];
}

/* A region leaves a number for the next one, in the same thread. */
static double left_for_the_next(double *x) {
  double sum = 0;
#pragma omp parallel
  {
    kept = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      kept += x[i] * x[i];
  }
#pragma omp parallel reduction(+ : sum)
  {
    kept *= x[1];
    sum += kept;
  }
  return sum;
}

/* Integers and numbers of two sizes; a barrier; a critical section. */
static double several(double *x) {
  double total = 1, sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    mixed.count = 0;
    mixed.small = 0;
    mixed.large = 0;
#pragma omp for
    for (int i = 0; i < N; i++) {
      room[i] = x[i] * x[(i + 1) % N];
      mixed.large += room[i];
      mixed.count++;
    }
#pragma omp critical
    total += mixed.large;
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < N; i++) {
      mixed.large = total * x[i];
      sum += mixed.large * mixed.large + 0 * mixed.count;
    }
  }
  return sum;
}

/* What another call left behind is a constant: nobody takes its adjoint. */
static double uses_what_was_left(double *x) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (int i = 0; i < N; i++) {
    if (x[0] > 100)
      kept = x[i];
    sum += x[i] * x[i] + kept * x[i];
  }
  return sum;
}
static double then_stores(double *x) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    sum += kept * 0;
    kept = 0;
#pragma omp for
    for (int i = 0; i < N; i++) {
      kept = x[i] * x[i];
      sum += kept * i;
    }
  }
  return sum;
}
static double both(double *x) {
#pragma omp parallel
  kept = 0;
  return uses_what_was_left(x) + then_stores(x);
}

GRADIENT(scratch)
GRADIENT(copied)
GRADIENT(left_for_the_next)
GRADIENT(several)
GRADIENT(uses_what_was_left)
GRADIENT(then_stores)
GRADIENT(both)

/* Threads have the shadows that the request before has left. */
static void after_another_request(void) {
  double x[N], dx[N], other[N];
  for (int i = 0; i < N; i++)
    x[i] = 0.3 + 0.01 * i;
  omp_set_num_threads(3);
  for (int k = 0; k < 3; k++) {
#pragma omp parallel
    kept = 0.5;
    memset(dx, 0, sizeof dx);
    memset(other, 0, sizeof other);
    reverse_uses_what_was_left(x, dx);
    reverse_then_stores(x, other);
    for (int i = 0; i < N; i++) {
      same("uses_what_was_left", i, dx[i], 2 * x[i] + 0.5, 1e-12);
      same("then_stores", i, other[i], 2 * x[i] * i, 1e-12);
    }
#pragma omp parallel
    kept = 0.5;
    double sums[2] = {0};
    for (int i = 0; i < N; i++) {
      sums[0] += (2 * x[i] + 0.5) * x[i];
      sums[1] += 2 * x[i] * x[i] * i;
      dx[i] = x[i];
    }
    same("tangent of uses_what_was_left", k, forward_uses_what_was_left(x, dx), sums[0], 1e-12);
    same("tangent of then_stores", k, forward_then_stores(x, dx), sums[1], 1e-12);
  }
}

int main(void) {
  ON_TEAMS(scratch);
  ON_TEAMS(copied);
  ON_TEAMS(left_for_the_next);
  ON_TEAMS(several);
  ON_TEAMS(both);
  after_another_request();
  return failures;
}
