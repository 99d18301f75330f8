/* EZ0302 A message of bytes does not tell which of them are numbers. */
#include "../check_mpi.h"
static double f(const double *x) {
  double a = x[0] * x[0], b = 0;
  MPI_Sendrecv(&a, sizeof a, MPI_BYTE, (rank + 1) % size, 0, &b, sizeof b, MPI_BYTE, (rank + size - 1) % size, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return b * b;
}
int main(int count, char **words) {
  begin(&count, &words);
  CHECK(f, 1);
  return end();
}
