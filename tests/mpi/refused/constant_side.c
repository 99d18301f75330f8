/* EZ0302 MPI_Psend_init also where the numbers of this rank carry no derivative: those of another rank may. */
#include "../check_mpi.h"
int MPI_Psend_init(const void *buffer, int parts, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                   MPI_Info info, MPI_Request *request);
static double f(const double *x) {
  double one = 1;
  MPI_Request r;
  MPI_Psend_init(&one, 1, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
  return x[0] * one;
}
int main(int count, char **words) {
  begin(&count, &words);
  CHECK(f, 1);
  return end();
}
