/* The reverse sweep sends no more messages than the function, and no more bytes (messages.c counts them). */
#include "../check_mpi.h"
#define WORLD MPI_COMM_WORLD
enum { N = 60, STEPS = 10 };
extern long counted_messages, counted_bytes;

static double halo(const double *x) {
  double u[N + 2], v[N + 2], s = 0;
  memcpy(u + 1, x, N * sizeof *u);
  for (int t = 0; t < STEPS; t++) {
    MPI_Request r[4];
    int n = 0;
    u[0] = u[N + 1] = 0.1;
    if (rank > 0) {
      MPI_Irecv(&u[0], 1, MPI_DOUBLE, rank - 1, 0, WORLD, &r[n++]);
      MPI_Isend(&u[1], 1, MPI_DOUBLE, rank - 1, 1, WORLD, &r[n++]);
    }
    if (rank < size - 1) {
      MPI_Irecv(&u[N + 1], 1, MPI_DOUBLE, rank + 1, 1, WORLD, &r[n++]);
      MPI_Isend(&u[N], 1, MPI_DOUBLE, rank + 1, 0, WORLD, &r[n++]);
    }
    MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
    for (int i = 1; i <= N; i++)
      v[i] = u[i] + 0.1 * (u[i - 1] * u[i - 1] - 2 * u[i] + u[i + 1]);
    memcpy(u + 1, v + 1, N * sizeof *u);
  }
  for (int i = 1; i <= N; i++)
    s += u[i] * u[i];
  return s;
}
static double sums(const double *x) {
  double a[N], b[N], s = 0;
  memcpy(a, x, sizeof a);
  for (int t = 0; t < STEPS; t++) {
    MPI_Allreduce(a, b, N, MPI_DOUBLE, MPI_SUM, WORLD);
    for (int i = 0; i < N; i++)
      a[i] = sin(b[i]) + 0.1 * a[i];
  }
  for (int i = 0; i < N; i++)
    s += a[i] * a[i];
  return s;
}
static double all_to_all(const double *x) {
  double a[N], b[N] = {0}, s = 0;
  memcpy(a, x, sizeof a);
  for (int t = 0; t < STEPS; t++) {
    MPI_Alltoall(a, N / size, MPI_DOUBLE, b, N / size, MPI_DOUBLE, WORLD);
    for (int i = 0; i < N; i++)
      a[i] = sin(b[i]) + 0.1 * a[i];
  }
  for (int i = 0; i < N; i++)
    s += a[i] * a[i];
  return s;
}
static void compare(const char *name, const long *before, const long *between) {
  long function[2] = {between[0] - before[0], between[1] - before[1]};
  long sweep[2] = {counted_messages - between[0] - function[0], counted_bytes - between[1] - function[1]};
  failures += sweep[0] > function[0] || sweep[1] > function[1];
  printf("%s, rank %d of %d: %ld messages and %ld bytes, in the reverse sweep %ld and %ld\n", name, rank, size, function[0],
         function[1], sweep[0], sweep[1]);
}
#define COUNT(f)                                                                                                  \
  do {                                                                                                            \
    double (*volatile plain)(const double *) = f, x[N], g[N] = {0};                                               \
    for (int i = 0; i < N; i++)                                                                                   \
      x[i] = 0.5 + 0.01 * i;                                                                                      \
    long before[] = {counted_messages, counted_bytes};                                                            \
    plain(x);                                                                                                     \
    long between[] = {counted_messages, counted_bytes};                                                           \
    __enzyme_autodiff((void *)f, x, g);                                                                           \
    compare(#f, before, between);                                                                                 \
  } while (0)
int main(int count, char **words) {
  begin(&count, &words);
  COUNT(halo);
  COUNT(sums);
  COUNT(all_to_all);
  return end();
}
