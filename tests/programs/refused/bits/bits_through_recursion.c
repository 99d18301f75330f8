/* EZ0304: a function that calls itself twice is given the bits of a number, and changes them.
   expect: a number is made of the bits of another that carries a derivative, by integer arithmetic */
#include "../../check.h"
#include <stdint.h>

static uint64_t change(uint64_t u, int n) { return n <= 0 ? u : change(change(u, n - 1) + (1ull << 52), n - 2); }

static double run(double *x, int n) {
  uint64_t u;
  memcpy(&u, x, sizeof u);
  u = change(u, n);
  double y;
  memcpy(&y, &u, sizeof y);
  return y;
}

int main(int argc, char **argv) {
  double x[] = {0.7}, dx[] = {0};
  __enzyme_autodiff((void *)run, x, dx, argc + 1);
  return 0;
}
