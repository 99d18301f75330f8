/* Handlers that throw again: the same exception, from a function that they call, and another in its place. */
#include "../../check.h"
#include <stdexcept>

NOINLINE static double risky(double x, int k) {
  if (k > 0)
    throw k;
  return cos(x);
}

NOINLINE static void handle(double *s, double x) {
  try {
    throw;
  } catch (int k) {
    *s += k * x;
    if (k == 2)
      throw;
    if (k == 3)
      throw std::runtime_error("three");
  }
}

static double f(double *x) {
  double s = x[2];
  for (int k = 0; k < 4; k++)
    try {
      try {
        s *= risky(x[0], k);
      } catch (...) {
        s *= x[1];
        handle(&s, x[0]);
      }
    } catch (int again) {
      s *= again * x[1];
    } catch (const std::runtime_error &) {
      s *= exp(x[2]);
    }
  return s;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
