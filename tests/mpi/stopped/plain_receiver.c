/* EZ0305 The receiver is in code that is not differentiated, and then waits for others. */
#include "../check_mpi.h"
static double f(const double *x) {
  double a = x[0] * x[0];
  MPI_Send(&a, 1, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
  return a;
}
int main(int count, char **words) {
  begin(&count, &words);
  double x = 2, d = 0, b;
  if (rank == 0)
    __enzyme_autodiff((void *)f, &x, &d);
  else
    MPI_Recv(&b, 1, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  d = sum_of(d);
  return end();
}
