/* Memory without a shadow that the program made before: all threads of a team use the tables of the thread that made the
 * request (toolchain/runtime/teams_tables.c). Also packed numbers, which may not be aligned.
 * flags: -fopenmp */
#include "on_teams.h"
#include <stdlib.h>

struct __attribute__((packed)) sample { char tag; double number; };
static struct solver { double *work, *more, **rows; struct sample *packed; int *where; } made;

/* Other threads read what a thread has stored, behind a barrier. */
static double stored(double *x, struct solver *s) { double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 40 * N; i++) s->work[i] = sin(x[i % N] * (1 + 0.02 * (i / N)));
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 40 * N; i++) s->more[i] = s->work[i] * s->work[(i * 7 + 3) % (40 * N)];
#pragma omp for reduction(+ : sum) schedule(dynamic, 7)
    for (int i = 0; i < 40 * N; i++) sum += s->more[s->where[i]] * s->more[(i + 64) % (40 * N)] * (1 + i % 3) + s->rows[i % 8][i % N];
  }
  return sum; }
/* A number is constant at first: that a block was not there is forgotten once another thread makes it. */
static double made_late(double *x, struct solver *s) { double sum = 0;
  for (int i = 0; i < 40 * N; i++) s->work[i] = 1 + i % 5;
#pragma omp parallel reduction(+ : sum)
  for (int step = 0; step < 3; step++) {
    for (int i = 0; i < 40 * N; i += 11) sum += s->work[i] * x[i % N];
#pragma omp barrier
#pragma omp single
    for (int i = 0; i < 40 * N; i++) s->work[i] = s->work[i] * x[i % N] + 0.1 * step;
  }
  return sum / omp_get_max_threads(); }
static double of_packed(double *x, struct solver *s) { double sum = 0; (void)s;
  struct sample *all = malloc(N * sizeof *all);
  for (int i = 0; i < N; i++) all[i].number = x[i] * x[i];
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 200; i++) sum += all[i % N].number * all[(i * i) % N].number * x[i % 5];
  free(all);
  return sum; }
#define OF_MADE(f) \
  static double plain_##f(double *x) { return f(x, &made); } \
  static void reverse_plain_##f(double *x, double *d) { __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, &made); } \
  static double forward_plain_##f(double *x, double *d) { return __enzyme_fwddiff((void *)f, enzyme_dup, x, d, enzyme_const, &made); }
OF_MADE(stored) OF_MADE(made_late) OF_MADE(of_packed)

int main(void) {
  made = (struct solver){malloc(40 * N * 8), malloc(40 * N * 8), malloc(8 * sizeof(double *)), NULL, malloc(40 * N * sizeof(int))};
  for (int i = 0; i < 8; i++) made.rows[i] = made.work + i * 2 * N;
  for (int i = 0; i < 40 * N; i++) made.where[i] = (i * 13) % (40 * N);
  for (int again = 0; again < 3; again++) { ON_TEAMS(plain_stored); ON_TEAMS(plain_made_late); ON_TEAMS(plain_of_packed); }
  return failures;
}
