/* An exception that f does not catch passes through the gradient to its caller. */
#include "../../check.h"
#include <stdexcept>
#include <vector>

NOINLINE static double positive(double x) {
  if (x < 0)
    throw std::domain_error("negative");
  return sqrt(x);
}

static double f(double *x) {
  std::vector<double> v;
  for (int i = 0; i < 3; i++)
    v.push_back(positive(x[i]) * x[0]);
  return v.at(1) * v[2];
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  double x[3] = {1, 2, -1}, dx[3] = {0};
  int caught = 0;
  try {
    __enzyme_autodiff((void *)f, x, dx);
  } catch (const std::domain_error &e) {
    caught = strcmp(e.what(), "negative") == 0;
  }
  SAME(caught, 1);
  return failures;
}
