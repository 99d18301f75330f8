/* EZ0305 The sender is in code that is not differentiated: a derivative comes back that it does not receive. */
#include "../check_mpi.h"
static double f(const double *x) {
  double a;
  MPI_Recv(&a, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return a * x[0];
}
int main(int count, char **words) {
  begin(&count, &words);
  double x = 2, d = 0;
  if (rank == 0)
    __enzyme_autodiff((void *)f, &x, &d);
  else
    MPI_Send(&x, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
  return end();
}
