/* EZ0202: a sparse matrix needs a vector of outputs. expect: __enzyme_autodiff with enzyme_sparse needs two vectors, and has 1 arguments */
#include <enzyme/enzyme.h>
double f(const double *x, int n) { return x[0] * x[n]; }
int main(void) {
  struct enzyme_triplets t;
  double x[3] = {1, 2, 3};
  __enzyme_autodiff((void *)f, enzyme_sparse, &t, enzyme_dup, x, 3, enzyme_const, 2);
  return t.count != 2;
}
