/* expect: pointer_outside.c:12:72: a pointer to memory that carries a derivative is stored in memory without a shadow
 * A handle from the heap that main made, in which the function stores its argument: it would be constant there. */
#include "../check.h"

typedef struct handle {
  double (*f)(double v, double *data);
  double *data;
} handle;
static handle *before;

static double product(double v, double *data) { return v * data[0] * data[1]; }
__attribute__((noinline)) static void set(double *data) { before->data = data; }
__attribute__((noinline)) static double evaluate(double v) { return before->f(v, before->data); }
static double f(double *x) {
  set(x);
  return evaluate(2);
}

int main(int argc, char **argv) {
  double x[] = {0.5, 0.7}, dx[2] = {0};
  handle *made = malloc(argc * sizeof *before);
  before = argv ? made : NULL;
  before->f = product;
  __enzyme_autodiff((void *)f, x, dx);
  return 0;
}
