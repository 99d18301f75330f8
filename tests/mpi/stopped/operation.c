/* EZ0302 A reduction by the program's own operation. */
#include "../check_mpi.h"
static void multiply(void *a, void *b, int *n, MPI_Datatype *type) {
  for (int i = 0; i < *n; i++)
    ((double *)b)[i] *= ((double *)a)[i];
}
static MPI_Op op;
static double f(const double *x) {
  double a = x[0] * x[0], b = 0;
  MPI_Allreduce(&a, &b, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
  return b * b;
}
int main(int count, char **words) {
  begin(&count, &words);
  MPI_Op_create(multiply, 1, &op);
  CHECK(f, 1);
  return end();
}
