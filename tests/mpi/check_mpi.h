/* CHECK(f, n): the gradient of the sum of all ranks' results with respect to n numbers of each rank, along a direction that
 * differs from rank to rank, by reverse and by forward mode, against central differences. */
#include <enzyme/enzyme.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>

static int failures, rank, size;
enum { MOST = 64 };

static double sum_of(double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return x;
}
static void expect(const char *name, const char *what, double got, double want) {
  if (fabs(got - want) <= 2e-6 * (1 + fabs(want)))
    return;
  failures++;
  if (rank == 0)
    printf("FAIL %s %s on %d ranks: %.12g, differences give %.12g\n", name, what, size, got, want);
}
#define CHECK(f, n)                                                                                                    \
  do {                                                                                                                 \
    double x[MOST], v[MOST], y[MOST], g[MOST] = {0}, dot = 0, h = 1e-5, plus, minus;                                   \
    for (int i = 0; i < n; i++)                                                                                        \
      x[i] = 0.6 + 0.07 * i + 0.21 * rank, v[i] = cos(1 + i + 3 * rank);                                               \
    __enzyme_autodiff((void *)f, x, g);                                                                                \
    double t = __enzyme_fwddiff((void *)f, x, v);                                                                      \
    for (int i = 0; i < n; i++)                                                                                        \
      dot += g[i] * v[i], y[i] = x[i] + h * v[i];                                                                      \
    plus = f(y);                                                                                                       \
    for (int i = 0; i < n; i++)                                                                                        \
      y[i] = x[i] - h * v[i];                                                                                          \
    minus = f(y);                                                                                                      \
    double want = sum_of((plus - minus) / (2 * h));                                                                    \
    expect(#f, "reverse", sum_of(dot), want);                                                                          \
    expect(#f, "forward", sum_of(t), want);                                                                            \
  } while (0)

static void begin(int *count, char ***words) {
  MPI_Init(count, words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}
static int end(void) {
  MPI_Finalize();
  return failures != 0;
}
