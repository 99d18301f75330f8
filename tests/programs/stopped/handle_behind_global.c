/* expect: the global current points at memory that carries a derivative under another name
 * A global points to the constant handle: a number that the function stores in the handle is read by the global. */
#include "../check.h"

struct handle {
  double result;
};
static struct handle *current;

NOINLINE static struct handle *create(void) { return current = calloc(1, sizeof *current); }
NOINLINE static void evaluate(struct handle *h, double x) { h->result = x * x; }
NOINLINE static double f(struct handle *h, const double *x) {
  evaluate(h, *x);
  return current->result;
}

int main(void) {
  double x = 3, dx = 0;
  __enzyme_autodiff((void *)f, enzyme_const, create(), enzyme_dup, &x, &dx);
  return 0;
}
