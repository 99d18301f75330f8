/* A slot for each thread of a region, as many as some function outside of the region says: all are read afterwards.
 * What tasks and threads hand on. Regions run in teams of one in derivatives, and as ever in plain calls.
 * flags: -fopenmp */
#include "../check.h"
#include <omp.h>

enum { N = 6, MANY = 64 };
static const double AT[N] = {4, -3, 5, 6, 2.5, -7};

static int from_environment(void) {
  const char *text = getenv("OMP_NUM_THREADS");
  return text ? atoi(text) : 1;
}

/* The least square of all numbers, and the sum of their cubes. */
#define SLOTS(NAME, COUNT, CLAUSE)                                                                                     \
  static double NAME(const double *x) {                                                                                \
    int count = (COUNT);                                                                                               \
    double *least = malloc(count * sizeof *least), sum[MANY], all = 0;                                                 \
    for (int t = 0; t < count; t++)                                                                                    \
      least[t] = t ? 0 : 1e20, sum[t] = t ? 1e20 : 0;                                                                  \
    _Pragma(CLAUSE) {                                                                                                  \
      int t = omp_get_thread_num();                                                                                    \
      double m = 1e20, s = 0;                                                                                          \
      _Pragma("omp for") for (int i = 0; i < N; i++) {                                                                 \
        if (x[i] * x[i] < m)                                                                                           \
          m = x[i] * x[i];                                                                                             \
        s += x[i] * x[i] * x[i];                                                                                       \
      }                                                                                                                \
      least[t] = m, sum[t] = s;                                                                                        \
    }                                                                                                                  \
    for (int t = 0; t < count; t++) {                                                                                  \
      all += sum[t];                                                                                                   \
      if (least[t] < least[0])                                                                                         \
        least[0] = least[t];                                                                                           \
    }                                                                                                                  \
    all += least[0];                                                                                                   \
    free(least);                                                                                                       \
    return all;                                                                                                        \
  }
SLOTS(by_max_threads, omp_get_max_threads(), "omp parallel")
SLOTS(by_processors, omp_get_num_procs(), "omp parallel num_threads(count)")
SLOTS(by_limit, omp_get_thread_limit() < MANY ? omp_get_thread_limit() : omp_get_max_threads(), "omp parallel")
SLOTS(by_environment, from_environment(), "omp parallel num_threads(count)")

static double handed_on(const double *x) {
  double private = 0, made = 0, used = 0;
#pragma omp parallel firstprivate(private) num_threads(1)
  {
#pragma omp single copyprivate(private)
    private = x[0] * x[1];
#pragma omp single
    {
#pragma omp task depend(out : made) shared(made)
      made = private * x[2];
#pragma omp task depend(in : made) shared(made, used)
      used = made * made;
#pragma omp taskwait depend(in : used)
#pragma omp task if (0) shared(used)
      used += x[3] * x[3];
#pragma omp taskwait
    }
  }
  return used;
}

/* The threads of a plain call, which are compiled as ever. */
static int seen;
static double counted(const double *x) {
  double s = 0;
#pragma omp parallel reduction(+ : s)
  {
#pragma omp single
    seen = omp_get_num_threads();
#pragma omp for
    for (int i = 0; i < N; i++)
      s += x[i] * x[i];
  }
  return s;
}

#define TRY(f, wanted)                                                                                                 \
  do {                                                                                                                 \
    double dx[N] = {0}, v[N] = {1, 2, 3, 4, 5, 6}, tangent = 0;                                                        \
    __enzyme_autodiff((void *)f, enzyme_dup, AT, dx);                                                                  \
    for (int i = 0; i < N; i++) {                                                                                      \
      same(#f, i, dx[i], wanted(i), 1e-13);                                                                            \
      tangent += v[i] * dx[i];                                                                                         \
    }                                                                                                                  \
    same(#f " forward", 0, __enzyme_fwddiff((void *)f, enzyme_dup, AT, v), tangent, 1e-13);                            \
  } while (0)
static double by_slots(int i) { return 3 * AT[i] * AT[i] + (i == 4 ? 2 * AT[i] : 0); }
static double by_hand(int i) {
  double product = AT[0] * AT[1] * AT[2];
  return i < 3 ? 2 * product * product / AT[i] : i == 3 ? 2 * AT[3] : 0;
}
static double by_squares(int i) { return 2 * AT[i]; }

int main(void) {
  omp_set_dynamic(0);
  omp_set_num_threads(3);
  TRY(by_max_threads, by_slots);
  TRY(by_processors, by_slots);
  TRY(by_limit, by_slots);
  TRY(by_environment, by_slots);
  TRY(handed_on, by_hand);
  TRY(counted, by_squares);
  SAME(by_max_threads(AT), 64 - 27 + 125 + 216 + 15.625 - 343 + 6.25);
  SAME(counted(AT), 16 + 9 + 25 + 36 + 6.25 + 49);
  SAME(seen, 3);
  return failures;
}
