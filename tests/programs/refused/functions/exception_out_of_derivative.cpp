/* EZ0307: an exception that carries a number leaves a derivative, and is caught by code that is differentiated again. */
#include "../../check.h"
// expect: an exception may leave this derivative for differentiated code, and carry numbers

struct outside {
  double by;
};

static double g(double *x) {
  if (x[0] < 0)
    throw outside{-x[0]};
  return sqrt(x[0]);
}

static double f(double *x) {
  double v[1] = {1};
  try {
    return __enzyme_fwddiff((void *)g, x, v) * x[0];
  } catch (const outside &o) {
    return o.by * o.by;
  }
}

int main() {
  CHECK(f, -1.6);
  return failures;
}
