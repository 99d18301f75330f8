/* EZ0304: numbers are stored in memory that a function without bitcode gave: no shadow stands beside it. */
#include "../../../check.h"

double *buffer(void);

static double run(double *x) {
  double *b = buffer();
  b[0] = x[0] * x[1];
  return b[0] * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
