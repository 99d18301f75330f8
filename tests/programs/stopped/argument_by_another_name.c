/* expect: the global state points at memory that carries a derivative under another name */
#include "../check.h"

static double *state;
NOINLINE static double f(double *x) { return state[0] * x[1]; }

int main(int argc, char **argv) {
  double x[] = {0.5, 0.7}, dx[2] = {0};
  state = argc && argv ? x : NULL;
  __enzyme_autodiff((void *)f, x, dx);
  return 0;
}
