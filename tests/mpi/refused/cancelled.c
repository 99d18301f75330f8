/* EZ0302 MPI_Cancel ends a message that the other rank may take for one with an adjoint. */
#include "../check_mpi.h"
static double f(const double *x) {
  double b = 0;
  MPI_Request r;
  MPI_Irecv(&b, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &r);
  MPI_Cancel(&r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return b * x[0];
}
int main(int count, char **words) {
  begin(&count, &words);
  CHECK(f, 1);
  return end();
}
