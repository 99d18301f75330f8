/* expect: pointer_outside_twice.c:13:76: a pointer to memory that carries a derivative is stored in memory without a shadow
 * A handle that main made takes the address of the argument, in a function that is differentiated twice: the first
 * derivative looks up the pointer's shadow in a table, which the second one cannot follow. */
#include "../check.h"

typedef struct handle {
  double (*f)(double v, double *data);
  double *data;
} handle;
static handle *before;

static double product(double v, double *data) { return v * data[0] * data[1]; }
NOINLINE static void set(double *data) { before->f = product, before->data = data; }
NOINLINE static double evaluate(double v) { return before->f(v, before->data); }
static double f(double *x) {
  set(x);
  return evaluate(2);
}
static double slope(double *x) {
  double dx[2] = {1, 0};
  return __enzyme_fwddiff((void *)f, x, dx);
}

int main(int argc, char **argv) {
  double x[] = {0.5, 0.7}, dx[2] = {0};
  handle *made = malloc(argc * sizeof *made);
  before = argv ? made : NULL;
  __enzyme_autodiff((void *)slope, x, dx);
  return 0;
}
