/* expect: that memory is also a global that differentiated code uses by its name
 * The constant handle is a global: a number that the function stores in the handle is read by the global's name. */
#include "../check.h"

struct handle {
  double result;
};
static struct handle single;

NOINLINE static struct handle *create(int number) { return number ? calloc(1, sizeof single) : &single; }
NOINLINE static void evaluate(struct handle *h, double x) { h->result = x * x; }
NOINLINE static double f(struct handle *h, const double *x) {
  evaluate(h, *x);
  return single.result;
}

int main(int count, char **words) {
  double x = 3, dx = 0;
  __enzyme_autodiff((void *)f, enzyme_const, create(count - 1), enzyme_dup, &x, &dx);
  return 0;
}
