/* EZ0307: a destructor asks whether an exception is in flight, which is ordinary control flow then. */
#include "../../check.h"
#include <exception>
// expect: std::uncaught_exceptions is asked in differentiated code that catches exceptions

struct guard {
  double *s;
  ~guard() { *s *= std::uncaught_exceptions() ? 2 : 1; }
};

NOINLINE static void risky(double *s, double x) {
  guard g{s};
  if (x > 1)
    throw 1;
  *s += x;
}

static double f(double *x) {
  double s = x[0];
  try {
    risky(&s, x[1]);
  } catch (int) {
    s += x[1];
  }
  return s;
}

int main() {
  CHECK(f, 0.5, 1.6);
  return failures;
}
