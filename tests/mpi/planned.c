/* Receives that are cancelled, and persistent requests of collective calls (MPI 4). */
#include "check_mpi.h"
#define WORLD MPI_COMM_WORLD
#define NEXT ((rank + 1) % size)
#define LAST ((rank + size - 1) % size)

static int cancel(MPI_Request *r) {
  MPI_Status status;
  int is_cancelled;
  MPI_Cancel(r);
  MPI_Wait(r, &status);
  MPI_Test_cancelled(&status, &is_cancelled);
  return is_cancelled;
}
static double of_several(const double *x) { /* the third receive gets the number of the second one */
  double a[2] = {x[0] * x[0], x[0] * x[1]}, b[3] = {0.1, 0.2, 0.3}, s = 0;
  MPI_Request r[3];
  for (int k = 0; k < 3; k++)
    MPI_Irecv(&b[k], 1, MPI_DOUBLE, LAST, 4, WORLD, &r[k]);
  MPI_Barrier(WORLD);
  int is_cancelled = cancel(&r[1]);
  MPI_Barrier(WORLD);
  MPI_Send(&a[0], 1, MPI_DOUBLE, NEXT, 4, WORLD);
  MPI_Send(&a[1], 1, MPI_DOUBLE, NEXT, 4, WORLD);
  MPI_Wait(&r[2], MPI_STATUS_IGNORE);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  for (int k = 0; k < 3; k++)
    s += b[k] * b[k] * (k + 1) * x[1];
  return is_cancelled ? s : 100;
}
static double of_anyone(const double *x) { /* and a receive of integers */
  double a = x[0] * x[1], b = 0.7, c;
  int k = 0;
  MPI_Request r, q;
  MPI_Irecv(&b, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &r);
  MPI_Irecv(&k, 1, MPI_INT, LAST, 9, WORLD, &q);
  int are_cancelled = cancel(&r) && cancel(&q);
  MPI_Barrier(WORLD);
  MPI_Sendrecv(&a, 1, MPI_DOUBLE, NEXT, 5, &c, 1, MPI_DOUBLE, LAST, 5, WORLD, MPI_STATUS_IGNORE);
  return are_cancelled ? b * c * c * x[0] : 100;
}
static double to_nobody(const double *x) { /* one-sided calls, too, may have no other end */
  double u[2] = {x[0], 0.3}, s;
  MPI_Win w;
  if (size == 1)
    return x[0];
  MPI_Win_create(u, sizeof u, sizeof *u, MPI_INFO_NULL, WORLD, &w);
  MPI_Win_fence(0, w);
  MPI_Get(&u[1], 1, MPI_DOUBLE, rank ? rank - 1 : MPI_PROC_NULL, 0, 1, MPI_DOUBLE, w);
  MPI_Win_fence(0, w);
  s = u[0] * u[1];
  MPI_Win_free(&w);
  return s;
}

#if MPI_VERSION >= 4
static double planned(const double *x) {
  double a[8], b[2], c[2], d[8], m[2] = {0}, s = 0;
  int counts[4], places[4];
  MPI_Request r[5];
  for (int i = 0; i < size; i++)
    counts[i] = 1 + i % 2, places[i] = 2 * i;
  MPI_Allreduce_init(a, b, 2, MPI_DOUBLE, MPI_SUM, WORLD, MPI_INFO_NULL, &r[0]);
  MPI_Bcast_init(c, 2, MPI_DOUBLE, size - 1, WORLD, MPI_INFO_NULL, &r[1]);
  MPI_Reduce_init(c, m, 2, MPI_DOUBLE, MPI_PROD, 0, WORLD, MPI_INFO_NULL, &r[2]);
  MPI_Allgatherv_init(a, counts[rank], MPI_DOUBLE, d, counts, places, MPI_DOUBLE, WORLD, MPI_INFO_NULL, &r[3]);
  MPI_Barrier_init(WORLD, MPI_INFO_NULL, &r[4]);
  for (int t = 0; t < 3; t++) {
    a[0] = x[0] * (t + 1) + s * 0.1, a[1] = x[1] * x[0];
    c[0] = x[1] + t, c[1] = a[0] * x[0];
    MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Start(&r[2]), MPI_Wait(&r[2], MPI_STATUS_IGNORE);
    MPI_Start(&r[3]), MPI_Start(&r[4]);
    MPI_Waitall(2, r + 3, MPI_STATUSES_IGNORE);
    for (int i = 0; i < size; i++)
      s += d[2 * i] * d[2 * i] * (i + 1) * 0.1;
    s += c[0] * c[1] * 0.1 + b[0] * b[1] * 0.1 + m[0] * m[1] * 0.1;
  }
  for (int i = 0; i < 5; i++)
    MPI_Request_free(&r[i]);
  return s;
}
#endif

int main(int count, char **words) {
  begin(&count, &words);
  CHECK(of_several, 2);
  CHECK(of_anyone, 2);
  CHECK(to_nobody, 1);
#if MPI_VERSION >= 4
  CHECK(planned, 2);
#endif
  return end();
}
