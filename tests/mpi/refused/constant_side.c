/* EZ0302 MPI_Win_create_dynamic also where the numbers of this rank carry no derivative: those of another rank may. */
#include "../check_mpi.h"
static double f(const double *x) {
  MPI_Win w;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  return x[0];
}
int main(int count, char **words) {
  begin(&count, &words);
  CHECK(f, 1);
  return end();
}
