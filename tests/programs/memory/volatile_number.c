/* A volatile local keeps its derivative. */
#include "../check.h"

static double hold(double *x) {
  volatile double v = x[0] * x[1];
  v = v * v;
  volatile int n = 2;
  return v * n + x[1];
}

int main(void) {
  CHECK(hold, 0.5, 1.2);
  return failures;
}
