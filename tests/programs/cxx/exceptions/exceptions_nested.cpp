/* An exception within an exception: in a destructor while another passes, in a handler, and in a noexcept function. */
#include "../../check.h"
#include <stdexcept>

struct careful {
  double &s, x;
  ~careful() {
    try {
      if (x > 0.6)
        throw x;
      s += 1;
    } catch (double d) {
      s *= d;
    }
  }
};

NOINLINE static double safe(double x) noexcept {
  try {
    if (x > 1)
      throw std::overflow_error("x");
    return x;
  } catch (const std::overflow_error &) {
    return x * x;
  }
}

NOINLINE static void pass(double &s, double x) {
  careful c{s, x};
  if (x < 1)
    throw 7;
  s -= x;
}

static double f(double *x) {
  double s = x[0];
  for (int k = 0; k < 3; k++) {
    try {
      careful c{s, x[2]};
      try {
        pass(s, x[k]);
      } catch (int seven) {
        s *= seven;
        try {
          pass(s, x[0]);
        } catch (int again) {
          s += again * x[1];
          if (k == 2)
            throw;
          if (k == 0)
            continue;
        }
        throw x[k] * s;
      }
    } catch (double d) {
      s += d;
      if (s > 100)
        return s * d;
    } catch (...) {
      s = safe(s) + safe(x[k]);
    }
  }
  return s;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  CHECK(f, 0.9, 0.3, 0.5);
  CHECK(f, 1.9, 2.3, 1.5);
  return failures;
}
