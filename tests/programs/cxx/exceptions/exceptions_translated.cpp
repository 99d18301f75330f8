/* Handlers that throw another exception in the place of the one they caught, which leaves f for the gradient's caller. */
#include "../../check.h"
#include <stdexcept>
#include <vector>

struct refused {
  double by;
};

NOINLINE static double root(const std::vector<double> &v, int k) {
  try {
    if (v[k] < 0)
      throw std::domain_error("negative");
    return sqrt(v.at(k + 2));
  } catch (const std::domain_error &) {
    throw refused{v[k]};
  }
}

static double f(double *x) {
  std::vector<double> v(x, x + 3);
  return root(v, 0) * x[1];
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  double x[3] = {-2, 1, 1}, dx[3] = {0}, by = 0;
  try {
    __enzyme_autodiff((void *)f, x, dx);
  } catch (const refused &r) {
    by = r.by;
  }
  SAME(by, -2);
  return failures;
}
