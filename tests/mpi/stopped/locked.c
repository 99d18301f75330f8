/* EZ0302 locked: of memory that ranks share. */
#include "../check_mpi.h"
#define WORLD MPI_COMM_WORLD
static double locked(const double *x) { /* in which order ranks had the lock is not known */
  double *own, *first, s;
  MPI_Aint bytes;
  int unit;
  MPI_Win w;
  MPI_Win_allocate_shared(sizeof(double), sizeof(double), MPI_INFO_NULL, WORLD, &own, &w);
  MPI_Win_shared_query(w, 0, &bytes, &unit, &first);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
  *first += x[0];
  MPI_Win_unlock(0, w);
  MPI_Barrier(WORLD);
  s = *first * *first;
  MPI_Win_free(&w);
  return s;
}
int main(int count, char **words) {
  begin(&count, &words);
  double x = 2, d = 0;
  __enzyme_autodiff((void *)locked, &x, &d);
  return end();
}
