/* EZ0305 A request that plain code has begun, and that differentiated code waits for. */
#include "../check_mpi.h"
static MPI_Request request;
static double b;
static double f(const double *x) {
  double a = x[0] * x[0];
  MPI_Send(&a, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return b * b;
}
int main(int count, char **words) {
  begin(&count, &words);
  double x = 2, d = 0;
  MPI_Irecv(&b, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
  __enzyme_autodiff((void *)f, &x, &d);
  return end();
}
