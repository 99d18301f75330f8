/* Sections of locks: sums have no order in the reverse sweep, all others have.
 * flags: -fopenmp */
#include "on_teams.h"
static double plain(double *x) { double s = 0;
#pragma omp parallel for
  for (int i = 0; i < 5 * N; i++) {
#pragma omp critical
    s += x[i % N] * x[(i * 3) % N];
  }
  return s; }
static double arrays(double *x) { double a[4] = {0}, t = 0; float small = 0;
#pragma omp parallel
  { double own[4] = {0}, more = 0;
#pragma omp for nowait
    for (int i = 0; i < 5 * N; i++) own[i % 4] += sin(x[i % N]), more += x[i % N];
#pragma omp critical(here)
    { for (int k = 0; k < 4; k++) a[k] += own[k]; t -= more; }
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < N; i++)
#pragma omp critical(there)
      a[i % 4] += x[i] * 0.1;
  }
  return a[0] * a[1] + a[2] * a[3] + t * t; }
static double product(double *x) { double p = 1, s = 0;
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
#pragma omp critical
    { p *= 1 + 0.1 * x[i]; s += x[i]; }
  }
  return p + s * s; }
static double used(double *x) { double s = 0, most = 0;
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
#pragma omp critical
    { s += x[i] * x[i]; if (s > most) most = s; }
  }
  return s * s + most; }
static double reduced(double *x) { double s = 0, m = -1, p = 1; double a[3] = {0};
#pragma omp parallel for reduction(+ : s, a) reduction(max : m) reduction(* : p)
  for (int i = 0; i < N; i++) { s += x[i] * x[i]; a[i % 3] += x[i]; m = x[i] * (i % 2) > m ? x[i] * (i % 2) : m; p *= 1 + 0.01 * x[i]; }
  return s * a[0] * a[1] + a[2] + m + p; }
static double summed(double *x) { double s = 0; double a[3] = {0};
#pragma omp parallel for reduction(+ : s, a)
  for (int i = 0; i < N; i++) { s += x[i] * x[i]; a[i % 3] += x[i]; }
  return s * a[0] * a[1] + a[2]; }
static double locked(double *x) { double s[5] = {0}; omp_lock_t l[5];
  for (int k = 0; k < 5; k++) omp_init_lock(&l[k]);
#pragma omp parallel for
  for (int i = 0; i < 3 * N; i++) {
    omp_set_lock(&l[i % 5]); s[i % 5] += x[i % N] * x[i % N]; omp_unset_lock(&l[i % 5]); }
  for (int k = 0; k < 5; k++) omp_destroy_lock(&l[k]);
  return s[0] * s[1] + s[2] * s[3] * s[4]; }
static _Complex double complex_sum(double *x) { _Complex double z = 0;
#pragma omp parallel for
  for (int i = 0; i < N; i++) { _Complex double w = x[i] + 1.0i * x[i] * x[i];
#pragma omp critical
    z += w * w; }
  return z; }
static double of_complex(double *x) { _Complex double z = complex_sum(x); return __real__ z * __imag__ z; }
static double ordered(double *x) { double s = 0;
#pragma omp parallel for ordered
  for (int i = 0; i < N; i++) { double y = sin(x[i]);
#pragma omp ordered
    s += y * x[0]; }
  return s; }
GRADIENT(plain) GRADIENT(arrays) GRADIENT(product) GRADIENT(used) GRADIENT(reduced) GRADIENT(summed) GRADIENT(locked) GRADIENT(of_complex) GRADIENT(ordered)
int main(void) { ON_TEAMS(plain); ON_TEAMS(arrays); ON_TEAMS(product); ON_TEAMS(used); ON_TEAMS(reduced); ON_TEAMS(summed); ON_TEAMS(locked); ON_TEAMS(of_complex); ON_TEAMS(ordered); return failures; }
