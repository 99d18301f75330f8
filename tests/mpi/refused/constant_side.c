/* EZ0302 MPI_Win_allocate_shared also where the numbers of this rank carry no derivative: those of another rank may. */
#include "../check_mpi.h"
static double f(const double *x) {
  double *one;
  MPI_Win w;
  MPI_Win_allocate_shared(sizeof *one, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &one, &w);
  *one = 1;
  return x[0];
}
int main(int count, char **words) {
  begin(&count, &words);
  CHECK(f, 1);
  return end();
}
