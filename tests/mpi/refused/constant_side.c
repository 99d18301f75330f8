/* EZ0302 MPI_Iallreduce also where the numbers of this rank carry no derivative: those of another rank may. */
#include "../check_mpi.h"
static double f(const double *x) {
  double one = 1, sum;
  MPI_Request r;
  MPI_Iallreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return x[0] * sum;
}
int main(int count, char **words) {
  begin(&count, &words);
  CHECK(f, 1);
  return end();
}
