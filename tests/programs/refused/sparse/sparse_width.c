/* EZ0206: vector mode and sparse matrices exclude each other. expect: enzyme_width has no place in __enzyme_fwddiff with enzyme_sparse */
#include <enzyme/enzyme.h>
void f(const double *x, double *y) { y[0] = x[0] * x[1]; }
int main(void) {
  struct enzyme_triplets t;
  double x[2] = {1, 2}, y[1];
  __enzyme_fwddiff((void *)f, enzyme_width, 2, enzyme_sparse, &t, enzyme_dup, x, 2, enzyme_dup, y, 1);
  return t.count != 2;
}
