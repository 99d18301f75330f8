/* Memory that ranks share: read in place, between fences, barriers or messages of integers; one-sided calls and messages on it. */
#include "check_mpi.h"
#define WORLD MPI_COMM_WORLD
#define NEXT ((rank + 1) % size)
#define LAST ((rank + size - 1) % size)

/* each rank's part is read by its neighbours, between fences */
static double parts(const double *x) {
  double *own, *next, s = 0; MPI_Win w; MPI_Aint bytes; int unit;
  MPI_Win_allocate_shared(2 * sizeof(double), sizeof(double), MPI_INFO_NULL, WORLD, &own, &w);
  MPI_Win_shared_query(w, NEXT, &bytes, &unit, &next);
  MPI_Win_fence(0, w);
  own[0] = x[0] * x[1], own[1] = sin(x[0]);
  for (int k = 0; k < 3; k++) {
    MPI_Win_fence(0, w);
    double got = next[0] * next[1];
    s += got * x[1];
    MPI_Win_fence(0, w);
    own[0] = got * 0.7 + own[0] * own[1];
  }
  MPI_Win_free(&w);
  return s;
}
/* rank 0 has all of the memory; all read all of it; barriers, no calls of the window */
static double central(const double *x) {
  double *all, *mine, s = 0; MPI_Win w; MPI_Aint bytes; int unit;
  MPI_Win_allocate_shared(rank == 0 ? 2 * size * sizeof(double) : 0, sizeof(double), MPI_INFO_NULL, WORLD, &mine, &w);
  MPI_Win_shared_query(w, 0, &bytes, &unit, &all);
  MPI_Win_lock_all(0, w);
  for (int k = 0; k < 3; k++) {
    all[2 * rank] = x[0] * (k + 1) + s, all[2 * rank + 1] = x[1] * x[0];
    MPI_Win_sync(w); MPI_Barrier(WORLD); MPI_Win_sync(w);
    for (int i = 0; i < 2 * size; i++)
      s += 0.1 * all[i] * all[(i + 1) % (2 * size)];
    MPI_Win_sync(w); MPI_Barrier(WORLD); MPI_Win_sync(w);
  }
  MPI_Win_unlock_all(w);
  MPI_Win_free(&w);
  return s;
}
static double barriers_only(const double *x) {
  double *own, *base, s = 0; MPI_Win w; MPI_Aint bytes; int unit;
  MPI_Win_allocate_shared(2 * sizeof(double), 1, MPI_INFO_NULL, WORLD, &own, &w);
  MPI_Win_shared_query(w, 0, &bytes, &unit, &base); /* parts lie one behind the other */
  own[0] = x[0], own[1] = x[1];
  MPI_Barrier(WORLD);
  for (int k = 0; k < 3; k++) {
    double a = 0;
    for (int i = 0; i < 2 * size; i++) a += base[i] * base[i] * 0.1 * (i + 1);
    MPI_Barrier(WORLD);
    own[k % 2] = tanh(a) * own[1 - k % 2];
    MPI_Barrier(WORLD);
  }
  for (int i = 0; i < 2 * size; i++) s += base[i] * (i + 1) * x[0];
  MPI_Barrier(WORLD);
  MPI_Win_free(&w);
  return s;
}
/* a stencil whose neighbours' rows are read in place; copies of memory */
static void step(const double *low, const double *own, const double *high, double *to, int n) {
  for (int i = 0; i < n; i++) to[i] = own[i] + 0.1 * (low[i] - 2 * own[i] + high[i]) * own[i];
}
static double stencil(const double *x) {
  enum { N = 4 };
  double *a, *low, *high, to[N], s = 0; MPI_Win w; MPI_Aint bytes; int unit;
  MPI_Win_allocate_shared(N * sizeof(double), sizeof(double), MPI_INFO_NULL, WORLD, &a, &w);
  MPI_Win_shared_query(w, LAST, &bytes, &unit, &low);
  MPI_Win_shared_query(w, NEXT, &bytes, &unit, &high);
  memcpy(a, x, N * sizeof(double));
  MPI_Win_fence(0, w);
  for (int k = 0; k < 4; k++) {
    step(low, a, high, to, N);
    MPI_Win_fence(0, w);
    memcpy(a, to, sizeof to);
    MPI_Win_fence(0, w);
  }
  memcpy(to, high, sizeof to);
  for (int i = 0; i < N; i++) s += to[i] * a[i] * (i + 1);
  MPI_Win_free(&w);
  return s;
}
/* one-sided calls on shared memory, and messages from and into it */
static double mixed(const double *x) {
  double *own, *next, a = x[0] * x[1], b[2], s; MPI_Win w; MPI_Aint bytes; int unit;
  MPI_Win_allocate_shared(4 * sizeof(double), sizeof(double), MPI_INFO_NULL, WORLD, &own, &w);
  MPI_Win_shared_query(w, NEXT, &bytes, &unit, &next);
  own[0] = x[0], own[1] = x[1], own[2] = 0.5, own[3] = x[0] * x[0];
  MPI_Win_fence(0, w);
  s = next[0] * own[1];
  MPI_Win_fence(0, w);
  MPI_Accumulate(&a, 1, MPI_DOUBLE, 0, 2, 1, MPI_DOUBLE, MPI_SUM, w);
  MPI_Get(b, 2, MPI_DOUBLE, LAST, 0, 2, MPI_DOUBLE, w);
  MPI_Win_fence(0, w);
  s += own[2] * own[2] + b[0] * b[1] * b[1];
  MPI_Win_fence(0, w);
  MPI_Put(b, 1, MPI_DOUBLE, NEXT, 1, 1, MPI_DOUBLE, w);
  MPI_Win_fence(0, w);
  s += next[1] * own[1];
  MPI_Barrier(WORLD);
  MPI_Sendrecv(next, 2, MPI_DOUBLE, NEXT, 1, own + 2, 2, MPI_DOUBLE, LAST, 1, WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(WORLD);
  s += next[3] * own[2] * a;
  MPI_Barrier(WORLD);
  MPI_Win_free(&w);
  return s;
}
#define HALO(NAME, T)                                                                                                  \
  static double NAME(const double *x) { /* pointers in a struct; ordered by messages of integers */                    \
    struct field { int n; T *data, *other; } f = {3};                                                                  \
    double s = 0; MPI_Win w; MPI_Aint bytes; int unit, t = 1, g;                                                       \
    MPI_Win_allocate_shared(f.n * sizeof(T), sizeof(T), MPI_INFO_NULL, WORLD, &f.data, &w);                            \
    MPI_Win_shared_query(w, NEXT, &bytes, &unit, &f.other);                                                            \
    MPI_Win_lock_all(0, w);                                                                                            \
    for (int k = 0; k < 2; k++) {                                                                                      \
      for (int i = 0; i < f.n; i++) f.data[i] = (T)(x[i % 2] * (i + 1 + k) + s);                                       \
      MPI_Win_sync(w);                                                                                                 \
      MPI_Sendrecv(&t, 1, MPI_INT, LAST, 1, &g, 1, MPI_INT, NEXT, 1, WORLD, MPI_STATUS_IGNORE);                        \
      MPI_Win_sync(w);                                                                                                 \
      for (int i = 0; i < f.n; i++) s += 0.1 * f.other[i] * f.other[i];                                                \
      MPI_Win_sync(w);                                                                                                 \
      MPI_Sendrecv(&t, 1, MPI_INT, NEXT, 2, &g, 1, MPI_INT, LAST, 2, WORLD, MPI_STATUS_IGNORE);                        \
    }                                                                                                                  \
    MPI_Win_unlock_all(w);                                                                                             \
    MPI_Win_free(&w);                                                                                                  \
    return s;                                                                                                          \
  }
HALO(halo, double)
HALO(halo_of_floats, float)

int main(int count, char **words) {
  begin(&count, &words);
  CHECK(parts, 2);
  CHECK(central, 2);
  CHECK(barriers_only, 2);
  CHECK(stencil, 4);
  CHECK(mixed, 2);
  CHECK(halo, 2);
  double x[2] = {0.3 + 0.1 * rank, 0.4}, d[2] = {0}, f[2] = {0};
  __enzyme_autodiff((void *)halo, x, d);
  __enzyme_autodiff((void *)halo_of_floats, x, f);
  if (fabs(d[0] - f[0]) > 1e-4 * fabs(d[0]) || fabs(d[1] - f[1]) > 1e-4 * fabs(d[1]))
    failures++, printf("FAIL halo_of_floats: %g %g, %g %g\n", f[0], f[1], d[0], d[1]);
  return end();
}
