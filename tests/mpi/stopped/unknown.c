/* EZ0310 unknown: one rank calls a function that has no derivative. */
#include "../check_mpi.h"
#include <stdlib.h>
#include <string.h>
static __attribute__((noinline)) double unknown(double x) {
  double loads[1] = {x};
  getloadavg(loads, 1);
  return loads[0];
}
static double f(const double *x) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 1 ? unknown(x[0]) : x[0] * x[0];
}
int main(int count, char **words) {
  double x[1] = {3}, d[1] = {0};
  begin(&count, &words);
  __enzyme_autodiff((void *)f, x, d);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
