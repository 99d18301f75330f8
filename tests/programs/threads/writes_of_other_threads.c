/* What other threads of a region write at barriers and in sections, and what nobody writes; sums that nobody reads, and
 * sums that somebody does.
 * flags: -fopenmp */
#include "on_teams.h"
#include <stdlib.h>
#include <string.h>
/* each number is read before a barrier, and written by another thread behind it */
static double passed_on(double *x) { double a[N], s = 0; memcpy(a, x, sizeof a);
#pragma omp parallel
  for (int step = 0; step < 3; step++) { double own = 0;
#pragma omp for nowait
    for (int i = 0; i < N; i++) own += sin(a[i]) * a[(i + 1) % N];
#pragma omp critical
    s += own;
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < N; i++) a[N - 1 - i] *= 1.1 - 0.01 * i;
  }
  return s + a[3]; }
/* the same through pointers in memory, and by a function that waits itself */
struct row { double *at; };
static __attribute__((noinline)) void scale(struct row *rows, int n, double by) {
#pragma omp barrier
#pragma omp for schedule(static, 1)
  for (int i = 0; i < n; i++) rows[n - 1 - i].at[0] *= by + rows[n - 1 - i].at[0] * 0.1;
}
static double behind_pointers(double *x) { double s = 0, *a = malloc(N * sizeof *a); struct row *rows = malloc(N * sizeof *rows);
  for (int i = 0; i < N; i++) a[i] = x[i], rows[i].at = a + i;
#pragma omp parallel reduction(+ : s)
  for (int step = 0; step < 2; step++) {
#pragma omp for nowait
    for (int i = 0; i < N; i++) s += sin(*rows[i].at) * a[i];
    scale(rows, N, 0.9);
  }
  free(rows); free(a);
  return s; }
/* nobody writes x; the table is written in a region before */
static double only_read(double *x) { double table[N], s = 0, t = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < N; i++) table[i] = sin(x[i]) * x[(i * 5) % N];
#pragma omp for reduction(+ : s)
    for (int i = 0; i < N; i++) s += table[i] * table[N - 1 - i] * x[i];
#pragma omp single
    t = x[2] * x[3];
#pragma omp for reduction(+ : s)
    for (int i = 0; i < N; i++) s += exp(x[i] * 0.1) * table[i];
  }
  return s + t; }
/* the write stands before the read that it follows: thread 1 waits until thread 0 has read the number */
static double in_order_of_a_lock(double *x) { double a = x[0] * x[1], s = 0; omp_lock_t l; omp_init_lock(&l);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) omp_set_lock(&l);
#pragma omp barrier
    if (omp_get_thread_num() == 1) { omp_set_lock(&l); a = x[2] * x[3]; omp_unset_lock(&l); }
    if (omp_get_thread_num() == 0) { s = sin(a) * x[4]; omp_unset_lock(&l); }
  }
  omp_destroy_lock(&l);
  return s + a; }
/* a thread's own variable whose address the others know */
static double lent(double *x) { double *address = 0, s = 0;
#pragma omp parallel
  { double mine = x[1] * x[1];
#pragma omp single
    address = &mine;
#pragma omp single
    { s += sin(mine); *address = *address * x[2]; }
#pragma omp single
    { s += sin(*address) * x[4]; *address = 3; }
#pragma omp barrier
  }
  return s; }
/* sums that end in the result alone, in what the result is chosen by, and in more sums */
static double result_alone(double *x) { double s = 0, more[3] = {0};
#pragma omp parallel for reduction(+ : s, more)
  for (int i = 0; i < N; i++) s += x[i] * x[i] * x[i], more[i % 3] += x[i] * sin(x[i]);
  return s / N + 0.5 * more[1] - more[2]; }
static double chosen(double *x) { double s = 0, t = 0;
#pragma omp parallel for reduction(+ : s, t)
  for (int i = 0; i < N; i++) s += x[i] * x[i], t += sin(x[i]);
  return s > 1 ? t : 2 * t; }
static double by_branch(double *x) { double s = 0, t = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) s += x[i] * x[i];
  if (s > 1)
    for (int i = 0; i < N; i++) t += x[i] * s;
  return t; }
static double by_region(double *x) { double s = 0, t = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) s += x[i] * x[i];
#pragma omp parallel for reduction(+ : t)
  for (int i = 0; i < N; i++) t += x[i] * s;
  return t; }
static double kept_sum;
static double stored(double *x) { double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) s += x[i] * x[i];
  kept_sum = s;
  return s + kept_sum * 0.5; }
static double in_turns(double *x) { double s = 0, t = 1;
  for (int step = 0; step < 3; step++) {
    double own = 0;
#pragma omp parallel for reduction(+ : own)
    for (int i = 0; i < N; i++) own += x[i] * t;
    s += own; t = 0.01 * s + own * 0.001;
  }
  return s; }
/* a sum that the caller does not need: its address may be null */
static double to_caller(double *x, double *sum) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    *sum += x[i] * x[i];
  }
  return 0; }
GRADIENT(passed_on) GRADIENT(behind_pointers) GRADIENT(only_read) GRADIENT(in_order_of_a_lock) GRADIENT(lent) GRADIENT(result_alone) GRADIENT(chosen)
GRADIENT(by_branch) GRADIENT(by_region) GRADIENT(stored) GRADIENT(in_turns)
int main(void) {
#ifndef SERIAL_REGIONS /* one thread reads, another one writes */
  ON_TEAMS(in_order_of_a_lock);
#endif
  ON_TEAMS(passed_on); ON_TEAMS(behind_pointers); ON_TEAMS(only_read); ON_TEAMS(lent); ON_TEAMS(result_alone);
  ON_TEAMS(chosen); ON_TEAMS(by_branch); ON_TEAMS(by_region); ON_TEAMS(stored); ON_TEAMS(in_turns);
  double x[N], dx[N] = {0}, want = 0; for (int i = 0; i < N; i++) x[i] = 0.1 * i, want += x[i] * x[i];
  kept_sum = 0; reverse_stored(x, dx); same("kept", 0, kept_sum, want, 1e-12);
  double got[N] = {0}, seed = 1; __enzyme_autodiff((void *)to_caller, x, got, enzyme_dupnoneed, (double *)0, &seed);
  for (int i = 0; i < N; i++) same("to_caller", i, got[i], 2 * x[i], 1e-12);
  return failures; }
