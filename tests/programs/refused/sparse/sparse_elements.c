/* EZ0303: the vector holds numbers of two types. expect: argument 1 of f is no vector of double or float */
#include <enzyme/enzyme.h>
struct both {
  double a;
  float b;
};
void f(const struct both *x, double *y) { y[0] = x[0].a * x[0].b; }
int main(void) {
  struct enzyme_triplets t;
  struct both x[1] = {{1, 2}};
  double y[1];
  __enzyme_fwddiff((void *)f, enzyme_sparse, &t, enzyme_dup, x, 2, enzyme_dup, y, 1);
  return t.count != 2;
}
