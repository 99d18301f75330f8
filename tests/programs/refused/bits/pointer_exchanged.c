/* EZ0304: a pointer to a number, exchanged by comparison
   expect: reason: a number that carries a derivative, or a pointer to one, is exchanged atomically */
#include "../../check.h"
#include <stdatomic.h>

static double f(double *x) {
  double y[2] = {x[0] * x[1], x[1]};
  double *_Atomic chosen = &y[1], *seen = &y[1];
  atomic_compare_exchange_strong(&chosen, &seen, &y[0]);
  return *chosen * 2;
}

int main(void) {
  double x[2] = {1, 2}, dx[2] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  return 0;
}
