/* One-sided calls: windows of own memory and of memory that MPI allocates, in all kinds of epochs. MPICH 4.0 rounds the
 * address of a window down to a multiple of 16 under a lock, so single numbers are aligned. */
#include "check_mpi.h"
#define WORLD MPI_COMM_WORLD
#define NEXT ((rank + 1) % size)
#define LAST ((rank + size - 1) % size)

static double fenced(const double *x) {
  double shown[4] = {x[0] * x[0], x[1], x[0] * x[1], 1}, a[2] = {sin(x[0]), x[1] * x[1]}, b[2] = {0}, s;
  MPI_Win w;
  MPI_Win_create(shown, sizeof shown, sizeof(double), MPI_INFO_NULL, WORLD, &w);
  MPI_Win_fence(0, w);
  MPI_Get(b, 2, MPI_DOUBLE, NEXT, 0, 2, MPI_DOUBLE, w);
  s = shown[0] * shown[1]; /* its owner reads what others get */
  MPI_Win_fence(0, w);
  a[0] += b[0] * b[1];
  MPI_Put(a, 2, MPI_DOUBLE, LAST, 1, 2, MPI_DOUBLE, w);
  MPI_Win_fence(0, w);
  s += shown[1] * shown[2];
  shown[3] = shown[1] * 0.5;
  MPI_Win_fence(0, w);
  for (int i = 0; i < size; i++)
    MPI_Accumulate(&a[1], 1, MPI_DOUBLE, i, 3, 1, MPI_DOUBLE, MPI_SUM, w);
  MPI_Win_fence(0, w);
  s += shown[3] * shown[3] * shown[0];
  MPI_Win_free(&w);
  return s;
}

static double locked(const double *x) { /* all add to rank 0's, which all read */
  double *shown, a = x[0] * x[1], b = 0, s;
  MPI_Win w;
  MPI_Win_allocate(2 * sizeof(double), 1, MPI_INFO_NULL, WORLD, &shown, &w);
  shown[0] = x[0], shown[1] = x[1];
  MPI_Barrier(WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
  MPI_Accumulate(&a, 1, MPI_DOUBLE, 0, 8, 1, MPI_DOUBLE, MPI_SUM, w);
  MPI_Win_unlock(0, w);
  MPI_Barrier(WORLD);
  MPI_Win_lock_all(0, w);
  MPI_Get(&b, 1, MPI_DOUBLE, 0, 8, 1, MPI_DOUBLE, w);
  MPI_Win_flush(0, w);
  s = b * b * shown[0];
  MPI_Win_unlock_all(w);
  MPI_Barrier(WORLD);
  MPI_Win_free(&w);
  return s;
}

static double in_groups(const double *x) { /* from each rank to the next one */
  double shown[2] = {0}, a[2] = {x[0] * x[1], x[1]}, s = 0;
  int next = NEXT, last = LAST;
  MPI_Group all, to, from;
  MPI_Win w;
  MPI_Comm_group(WORLD, &all);
  MPI_Group_incl(all, 1, &next, &to);
  MPI_Group_incl(all, 1, &last, &from);
  MPI_Win_create(shown, sizeof shown, sizeof(double), MPI_INFO_NULL, WORLD, &w);
  for (int i = 0; i < 2; i++) {
    MPI_Win_post(from, 0, w);
    MPI_Win_start(to, 0, w);
    MPI_Put(a, 2, MPI_DOUBLE, NEXT, 0, 2, MPI_DOUBLE, w);
    MPI_Win_complete(w);
    MPI_Win_wait(w);
    s += shown[0] * shown[1];
    a[0] = shown[1] * a[1], a[1] = shown[0];
  }
  MPI_Win_free(&w);
  MPI_Group_free(&all), MPI_Group_free(&to), MPI_Group_free(&from);
  return s;
}

static double in_turn(const double *x) { /* each fetches what those before have added up; integers, too */
  _Alignas(16) double shown = x[0];
  _Alignas(16) int tickets = 0;
  double a = x[0] * x[1], b = 0, s = 0;
  int one = 1, ticket;
  MPI_Win w, v;
  MPI_Win_create(&shown, sizeof shown, 1, MPI_INFO_NULL, WORLD, &w);
  MPI_Win_create(&tickets, sizeof tickets, 1, MPI_INFO_NULL, WORLD, &v);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, v);
  MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, v);
  MPI_Win_unlock(0, v);
  for (int i = 0; i < size; i++) {
    if (i == rank) {
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, size - 1, 0, w);
      MPI_Fetch_and_op(&a, &b, MPI_DOUBLE, size - 1, 0, MPI_SUM, w);
      MPI_Win_unlock(size - 1, w);
    }
    MPI_Barrier(WORLD);
  }
  s = b * b * (rank + 1) + shown * shown;
  MPI_Win_free(&w), MPI_Win_free(&v);
  return s;
}

int main(int count, char **words) {
  begin(&count, &words);
#ifdef OPEN_MPI
  if (size == 1) /* it has no windows then */
    return end();
#endif
  CHECK(fenced, 2);
  CHECK(locked, 2);
  CHECK(in_groups, 2);
  CHECK(in_turn, 2);
  return end();
}
