/* Windows that ranks lock, and whose accesses are ordered by messages and collective calls of integers. The single number
 * is aligned for MPICH 4.0 (one_sided.c). */
#include "check_mpi.h"
#define WORLD MPI_COMM_WORLD
#define NEXT ((rank + 1) % size)
#define LAST ((rank + size - 1) % size)
static MPI_Comm pairs;
static double put_int(const double *x) { /* put under a lock, told by a message of integers */
  double u[2] = {0.3, 0.4}, a = x[0] * x[1], s = 0; int t = 1, g; MPI_Win w;
  if (size == 1) return x[0];
  MPI_Win_create(u, sizeof u, 8, MPI_INFO_NULL, WORLD, &w);
  for (int k = 0; k < 3; k++) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, NEXT, 0, w); MPI_Put(&a, 1, MPI_DOUBLE, NEXT, 0, 1, MPI_DOUBLE, w); MPI_Win_unlock(NEXT, w);
    MPI_Sendrecv(&t, 1, MPI_INT, NEXT, 1, &g, 1, MPI_INT, LAST, 1, WORLD, MPI_STATUS_IGNORE);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, w); double mine = u[0]; MPI_Win_unlock(rank, w);
    s += mine * mine * (k + 1); a = mine * x[0] + a;
    MPI_Sendrecv(&t, 1, MPI_INT, LAST, 2, &g, 1, MPI_INT, NEXT, 2, WORLD, MPI_STATUS_IGNORE); /* I have read it */
  }
  MPI_Win_free(&w);
  return s;
}
static double get_int(const double *x) { /* the owner writes, tells, and others get; requests of integers */
  double u[2] = {0.3, 0.4}, s = 0, got; int t = 1, g; MPI_Win w; MPI_Request r[2];
  if (size == 1) return x[0];
  MPI_Win_create(u, sizeof u, 8, MPI_INFO_NULL, WORLD, &w);
  MPI_Win_lock_all(0, w);
  for (int k = 0; k < 3; k++) {
    u[1] = x[0] * x[1] * (k + 1) + s; MPI_Win_sync(w);
    MPI_Irecv(&g, 1, MPI_INT, NEXT, 1, WORLD, &r[0]); MPI_Isend(&t, 1, MPI_INT, LAST, 1, WORLD, &r[1]); MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Get(&got, 1, MPI_DOUBLE, NEXT, 1, 1, MPI_DOUBLE, w); MPI_Win_flush(NEXT, w);
    s += got * got * 0.1;
    MPI_Irecv(&g, 1, MPI_INT, LAST, 2, WORLD, &r[0]); MPI_Send(&t, 1, MPI_INT, NEXT, 2, WORLD); MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  }
  MPI_Win_unlock_all(w);
  MPI_Win_free(&w);
  return s;
}
static double bar(const double *x) { /* ordered by collective calls of integers on another communicator */
  double u[2] = {0.3, 0.4}, s = 0, got; int t = 1, g; MPI_Win w; int me, ps; MPI_Comm_rank(pairs, &me); MPI_Comm_size(pairs, &ps);
  if (size == 1) return x[0];
  MPI_Win_create(u, sizeof u, 8, MPI_INFO_NULL, WORLD, &w);
  int other = rank ^ 1; if (other >= size) other = rank;
  for (int k = 0; k < 3; k++) {
    u[1] = x[0] * x[1] * (k + 1) + s;
    if (k % 2) MPI_Allreduce(&t, &g, 1, MPI_INT, MPI_SUM, pairs); else MPI_Barrier(pairs);
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, w); MPI_Get(&got, 1, MPI_DOUBLE, other, 1, 1, MPI_DOUBLE, w); MPI_Win_unlock(other, w);
    s += got * got * 0.1;
    MPI_Barrier(pairs);
  }
  MPI_Win_free(&w);
  return s;
}
static double token(const double *x) { /* one counter at rank 0, a token of integers goes round */
  _Alignas(16) double u[1] = {0.5}; double got, s = 0; int t = 0; MPI_Win w;
  if (size == 1) return x[0];
  MPI_Win_create(u, rank ? 0 : 8, 8, MPI_INFO_NULL, WORLD, &w);
  if (rank) MPI_Recv(&t, 1, MPI_INT, rank - 1, 0, WORLD, MPI_STATUS_IGNORE);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
  MPI_Get(&got, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, w); MPI_Win_flush(0, w);
  got = got * x[0] + x[1];
  MPI_Put(&got, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, w); MPI_Win_unlock(0, w);
  if (rank < size - 1) MPI_Send(&t, 1, MPI_INT, rank + 1, 0, WORLD);
  MPI_Barrier(WORLD);
  if (rank == 0) s = u[0] * u[0];
  MPI_Win_free(&w);
  return s;
}
int main(int c, char **v) { begin(&c, &v); MPI_Comm_split(WORLD, rank / 2, rank, &pairs); CHECK(put_int, 2); CHECK(get_int, 2); CHECK(bar, 2); CHECK(token, 2); MPI_Comm_free(&pairs); return end(); }
