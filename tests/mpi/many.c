/* Many gradients of functions that make communicators, types, requests and windows: all copies of these end with them. MPICH
 * has no more than 2048 communicators. */
#include "check_mpi.h"
#include <unistd.h>
#define WORLD MPI_COMM_WORLD
static double inside(const double *x) { /* communicators, types, groups and requests of the function's own */
  MPI_Comm c, line; MPI_Request r[2]; MPI_Datatype t; double a[2] = {x[0] * x[1], x[1]}, b[2], s; int n = 1;
  MPI_Comm_dup(WORLD, &c);
  MPI_Cart_create(c, 1, &size, &n, 0, &line);
  MPI_Type_contiguous(2, MPI_DOUBLE, &t); MPI_Type_commit(&t);
  MPI_Irecv(b, 1, t, (rank + 1) % size, 0, line, &r[0]);
  MPI_Isend(a, 1, t, (rank + size - 1) % size, 0, line, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Allreduce(b, a, 2, MPI_DOUBLE, MPI_PROD, c);
  MPI_Scan(b, a + 1, 1, MPI_DOUBLE, MPI_SUM, c);
  s = a[0] * b[1] * 0.01 + a[1];
  MPI_Send_init(&s, 1, MPI_DOUBLE, (rank + 1) % size, 3, line, &r[0]);
  MPI_Recv_init(b, 1, MPI_DOUBLE, (rank + size - 1) % size, 3, line, &r[1]);
  MPI_Startall(2, r); MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  s += b[0];
  MPI_Request_free(&r[0]), MPI_Request_free(&r[1]);
  MPI_Type_free(&t); MPI_Comm_free(&line); MPI_Comm_free(&c);
  return s;
}
static double windows(const double *x) {
  double *own, *next, a[2] = {x[0], x[1]}, b = 0, s; MPI_Win v, w; MPI_Aint bytes; int unit; MPI_Comm c;
  MPI_Comm_split(WORLD, 0, -rank, &c);
  MPI_Win_allocate_shared(sizeof(double), 8, MPI_INFO_NULL, c, &own, &v);
  MPI_Win_shared_query(v, (rank + 1) % size, &bytes, &unit, &next);
  MPI_Win_create(a, sizeof a, 8, MPI_INFO_NULL, c, &w);
  *own = x[0] * x[1];
  MPI_Win_fence(0, v), MPI_Win_fence(0, w);
  MPI_Get(&b, 1, MPI_DOUBLE, 0, 1, 1, MPI_DOUBLE, w);
  s = *next * *next;
  MPI_Win_fence(0, v), MPI_Win_fence(0, w);
  MPI_Comm_free(&c); /* windows have it still */
  MPI_Win_free(&w), MPI_Win_free(&v);
  return s * b;
}
static long resident(void) { /* kB */
  long a, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (fscanf(f, "%ld %ld", &a, &pages) != 2)
    pages = 0;
  fclose(f);
  return pages * 4;
}
#define REPEATED(f, turns)                                                                                             \
  do {                                                                                                                 \
    double x[2] = {0.6 + 0.1 * rank, 0.7}, d[2];                                                                       \
    long early = 0;                                                                                                    \
    for (int k = 0; k < turns; k++) {                                                                                  \
      d[0] = d[1] = 0;                                                                                                 \
      __enzyme_autodiff((void *)f, x, d);                                                                              \
      if (k == turns / 5)                                                                                              \
        early = resident();                                                                                            \
    }                                                                                                                  \
    if (resident() - early > 16 * turns)                                                                               \
      failures++, printf("FAIL " #f ": %ld kB are left after %d gradients\n", resident() - early, turns);              \
  } while (0)

int main(int count, char **words) {
  begin(&count, &words);
  /* Ranks that wait keep a processor busy. With more ranks than processors, a call of MPICH takes 200 times as long. */
  const int is_crowded = size > sysconf(_SC_NPROCESSORS_ONLN), many = is_crowded ? 100 : 1000, some = is_crowded ? 20 : 50;
  CHECK(inside, 2);
  REPEATED(inside, many);
#ifdef OPEN_MPI
  if (size == 1) /* it has no windows then */
    return end();
#endif
  CHECK(windows, 2);
  REPEATED(windows, some);
  return end();
}
