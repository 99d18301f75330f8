/* Shadows to which threads add by copies of their own: copies that all threads have, of memory that begins at different
 * places, and copies beside other additions.
 * flags: -fopenmp */
#include "on_teams.h"
#include <string.h>
enum { M = 60 };
/* each thread reads all of one matrix, and its rows of the other one; so long that it has several pages */
static double product(double *x) { static double a[M * M], c[M * M]; double s = 0;
  for (long i = 0; i < M * M; i++) a[i] = x[i % N] * (1 + i % 3), c[i] = 0;
#pragma omp parallel for
  for (long i = 0; i < M; i++)
    for (long k = 0; k < M; k++)
      for (long j = 0; j < M; j++) c[i * M + j] += a[i * M + k] * a[k * M + j];
#pragma omp parallel for reduction(+ : s)
  for (long i = 0; i < M * M; i++) s += c[i] * 1e-3 * (i % 5);
  return s; }
/* parts that overlap, of which each begins elsewhere */
static double overlapping(double *x) { static double a[40 * N + 900]; double s = 0;
  for (long i = 0; i < 40 * N + 900; i++) a[i] = x[i % N] * (1 + i % 4);
#pragma omp parallel for reduction(+ : s)
  for (long i = 0; i < N; i++)
    for (long j = 0; j < 900; j++) s += a[40 * i + j] * a[40 * i + 899 - j] * 1e-3;
  return s; }
/* the same of numbers that are smaller, and begin where no multiple of their size is */
static struct __attribute__((packed)) { char first; float a[40 * N + 900]; } packed;
static float aligned[40 * N + 900];
#define OF_FLOATS(NAME, A)                                                                                             \
  static double NAME(double *x) { double s = 0;                                                                        \
    for (long i = 0; i < 40 * N + 900; i++) A[i] = (float)(x[i % N] * (1 + i % 4));                                    \
    _Pragma("omp parallel for reduction(+ : s)") for (long i = 0; i < N; i++)                                          \
      for (long j = 0; j < 900; j++) s += A[40 * i + j] * A[40 * i + 899 - j] * 1e-3;                                  \
    return s; }
OF_FLOATS(of_packed, packed.a) OF_FLOATS(of_floats, aligned)
/* another loop adds to the same memory, and no barrier comes between */
static double indexed(double *x) { static double a[40 * N + 900]; static int index[900]; double s = 0;
  for (long i = 0; i < 40 * N + 900; i++) a[i] = x[i % N] * (1 + i % 4);
  for (int i = 0; i < 900; i++) index[i] = (i * 7) % 900;
#pragma omp parallel reduction(+ : s)
  {
#pragma omp for nowait
    for (long i = 0; i < N; i++)
      for (long j = 0; j < 900; j++) s += a[40 * i + j] * a[40 * i + 899 - j] * 1e-3;
#pragma omp for nowait
    for (long i = 0; i < 900; i++) s += a[index[i]] * a[index[899 - i]] * 1e-3;
  }
  return s; }
static double beside(double *x) { static double a[40 * N + 900]; double s = 0;
  for (long i = 0; i < 40 * N + 900; i++) a[i] = x[i % N] * (1 + i % 4);
#pragma omp parallel reduction(+ : s)
  {
#pragma omp for nowait
    for (long i = 0; i < N; i++)
      for (long j = 0; j < 900; j++) s += a[40 * i + j] * a[40 * i + 899 - j] * 1e-3;
#pragma omp for nowait
    for (long i = 0; i < 900; i++) s += a[(i * 7) % 900] * a[i];
  }
  return s; }
/* threads of which some have nothing to do, and a loop that all threads run as a whole */
static double few(double *x) { static double a[3000]; double s = 0;
  for (long i = 0; i < 3000; i++) a[i] = x[i % N] * (1 + i % 4);
#pragma omp parallel reduction(+ : s)
  {
#pragma omp for
    for (long i = 0; i < 2; i++)
      for (long j = 0; j < 2000; j++) s += a[900 * i + j] * a[900 * i + 1999 - j] * 1e-3;
    if (omp_get_thread_num() == 0)
      for (long j = 0; j < 3000; j++) s += a[j] * a[2999 - j] * 1e-3;
  }
  return s; }
GRADIENT(product) GRADIENT(overlapping) GRADIENT(of_packed) GRADIENT(of_floats) GRADIENT(beside) GRADIENT(indexed) GRADIENT(few)
static void like_doubles(const char *name, void (*reverse)(double *, double *)) {
  double x[N], want[N] = {0};
  for (int i = 0; i < N; i++) x[i] = 0.3 + 0.4 * sin(i * 1.3);
  reverse_overlapping(x, want);
  for (int threads = 1; threads <= 8; threads++) {
    double got[N] = {0};
    omp_set_num_threads(threads);
    reverse(x, got);
    for (int i = 0; i < N; i++) same(name, i, got[i], want[i], 1e-4);
  }
}
int main(void) { ON_TEAMS(product); ON_TEAMS(overlapping); ON_TEAMS(beside); ON_TEAMS(indexed); ON_TEAMS(few);
  like_doubles("packed", reverse_of_packed); like_doubles("floats", reverse_of_floats);
  return failures; }
