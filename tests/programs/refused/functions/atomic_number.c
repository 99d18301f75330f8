/* EZ0304: a number is added to an _Atomic one, which C compiles to a loop of compare-and-exchange. */
#include "../../check.h"

static double run(double *x) {
  _Atomic double sum = x[0];
  sum += x[1] * x[1];
  return sum * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
