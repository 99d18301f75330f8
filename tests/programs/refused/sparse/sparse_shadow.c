/* EZ0203: a sparse request is given shadows. expect: has a vector without its number of elements */
#include <enzyme/enzyme.h>
void f(const double *x, double *y) { y[0] = x[0] * x[1]; }
int main(void) {
  struct enzyme_triplets t;
  double x[2] = {1, 2}, dx[2], y[1], dy[1];
  __enzyme_fwddiff((void *)f, enzyme_sparse, &t, enzyme_dup, x, dx, enzyme_dup, y, dy);
  return t.count != 2;
}
