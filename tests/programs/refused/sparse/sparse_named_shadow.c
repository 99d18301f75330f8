/* EZ0208: the program names the shadow of a global. expect: a sparse derivative would leave numbers in the shadow of gain */
#include <enzyme/enzyme.h>
double gain = 2, gain_shadow;
void f(const double *x, double *y) {
  y[0] = gain * x[0];
  gain = x[1];
}
int main(void) {
  struct enzyme_triplets t;
  double x[2] = {1, 2}, y[1];
  __enzyme_fwddiff((void *)f, enzyme_sparse, &t, enzyme_dup, x, 2, enzyme_dup, y, 1);
  return t.count != 2;
}
