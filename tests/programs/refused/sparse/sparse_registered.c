/* EZ0208: a registered derivative does not tell the pattern. expect: the pattern of a function that calls root cannot be found */
#include <enzyme/enzyme.h>
#include <math.h>
double root(double x) { return sqrt(x); }
double derivative_of_root(double x, double dx) { return dx / (2 * sqrt(x)); }
void *__enzyme_register_derivative_root[] = {(void *)root, (void *)derivative_of_root};
void f(const double *x, double *y) { y[0] = root(x[0]) * x[1]; }
int main(void) {
  struct enzyme_triplets t;
  double x[2] = {1, 2}, y[1];
  __enzyme_fwddiff((void *)f, enzyme_sparse, &t, enzyme_dup, x, 2, enzyme_dup, y, 1);
  return t.count != 2;
}
