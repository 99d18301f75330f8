/* EZ0302 MPI_Request_get_status shows that a message is there before the wait, which is where it is reversed. */
#include "../check_mpi.h"
static double f(const double *x) {
  double b = 0;
  int is_there = 0;
  MPI_Request r;
  MPI_Irecv(&b, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &r);
  while (!is_there)
    MPI_Request_get_status(r, &is_there, MPI_STATUS_IGNORE);
  return b * x[0];
}
int main(int count, char **words) {
  begin(&count, &words);
  CHECK(f, 1);
  return end();
}
