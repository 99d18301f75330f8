/* Exceptions that are not thrown: handlers and destructors stand around the code, and nothing happens. */
#include "../../check.h"
#include <stdexcept>
#include <vector>

struct guard {
  double *left;
  ~guard() { *left += 1; }
};

NOINLINE static double positive(double x) {
  if (x < 0)
    throw std::domain_error("negative");
  return sqrt(x);
}

static double f(double *x) {
  std::vector<double> v(x, x + 3);
  double left = 0, s = 0;
  try {
    guard g{&left};
    s = positive(v.at(0)) * v.at(2);
    try {
      s += positive(x[1]);
    } catch (const std::out_of_range &) {
      s = 17;
    }
  } catch (const std::domain_error &) {
    s = 0;
  } catch (...) {
    s = 1;
  }
  return s * s * left;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
