/* expect: [EZ0306]
 * A number that carries a derivative is stored behind a constant argument, and read behind a global that has no shadow. */
#include "../check.h"

static double *pointer;
NOINLINE static double get(void) { return pointer[1]; }
NOINLINE static double f(double *to, double x) {
  to[1] = x * x;
  return get() * x;
}

int main(int argc, char **argv) {
  double memory[2] = {1, 2}, x = 0.8, *to = argv ? memory : NULL;
  pointer = argc ? memory : NULL;
  printf("%g\n", __enzyme_autodiff((void *)f, enzyme_const, to, enzyme_out, x));
  return 0;
}
