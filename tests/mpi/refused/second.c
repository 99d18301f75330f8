/* EZ0302 messages : the derivative of a gradient with a message */
#include "../check_mpi.h"

static double f(const double *x) {
  double s = x[0] * x[0];
  MPI_Bcast(&s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return s;
}
static void gradient(const double *x, double *dx) { __enzyme_autodiff((void *)f, x, dx); }
int main(int count, char **words) {
  double x = 1, v = 1, dx = 0, ddx = 0;
  begin(&count, &words);
  __enzyme_fwddiff((void *)gradient, enzyme_dup, &x, &v, enzyme_dup, &dx, &ddx);
  return end();
}
