/* EZ0302 PMPI_Allreduce is not MPI_Allreduce here: the program has one of its own. */
#include "../check_mpi.h"
static int calls;
int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype t, MPI_Op op, MPI_Comm comm) {
  calls++;
  return PMPI_Allreduce(in, out, n, t, op, comm);
}
static double f(const double *x) {
  double a = x[0] * x[0], b;
  MPI_Allreduce(&a, &b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return b;
}
int main(int count, char **words) {
  begin(&count, &words);
  CHECK(f, 1);
  return end();
}
