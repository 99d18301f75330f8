/* Functions that let no exception out, and end those inside of them: what calls them need not know of exceptions. */
#include "../../check.h"
#include <stdexcept>

NOINLINE static double squared_above_one(double x) noexcept {
  try {
    if (x > 1)
      throw x;
    return x;
  } catch (double v) {
    return v * v;
  }
}

NOINLINE static double tried(double x) {
  if (x < 0)
    throw std::domain_error("negative");
  return sqrt(x);
}
NOINLINE static double root_or_cube(double x) noexcept {
  try {
    return tried(x);
  } catch (const std::exception &) {
    return x * x * x;
  }
}

static double f(double *x) { return squared_above_one(x[0]) * squared_above_one(x[1]) + root_or_cube(x[2]) * root_or_cube(x[0]); }

int main() {
  CHECK(f, 1.5, 0.6, -0.7);
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
