/* An exception passes several frames: destructors on its way change numbers, a handler that does not fit is passed. */
#include "../../check.h"
#include <stdexcept>

struct scaling {
  double *target, factor;
  ~scaling() { *target *= factor; }
};

NOINLINE static void inner(double *s, double x) {
  scaling g{s, x};
  *s += x * x;
  if (*s > 1)
    throw std::range_error("too large");
  *s += 1;
}

NOINLINE static void middle(double *s, double x, double y) {
  scaling g{s, sin(y)};
  try {
    inner(s, x);
  } catch (const std::logic_error &) {
    *s = 17;
  }
  *s += y;
}

static double f(double *x) {
  double s = x[0];
  for (int k = 0; k < 3; k++)
    try {
      middle(&s, x[1] + k, x[2]);
    } catch (const std::runtime_error &) {
      s -= x[0] * x[0];
    }
  return s * s;
}

int main() {
  CHECK(f, 0.5, 0.6, 0.7);
  return failures;
}
