/* Recursion of closures: a lambda that is passed itself, and a std::function that captures itself. */
#include "../../check.h"
#include <functional>

static double passed_itself(double *x) {
  auto step = [&](auto &self, int n) -> double {
    if (n == 0)
      return x[0];
    double r = self(self, n - 1);
    return sin(r) * x[n & 3] + 0.5 * r;
  };
  return step(step, 8);
}

static double captures_itself(double *x) {
  std::function<double(int)> step = [&](int n) -> double {
    if (n == 0)
      return x[0];
    double r = step(n - 1);
    return sin(r) * x[n & 3] + 0.5 * r;
  };
  return step(8);
}

/* A closure for each level, which holds the one before. */
static double composed(double *x) {
  std::function<double(double)> all = [](double a) { return a; };
  for (int i = 0; i < 5; i++)
    all = [all, c = x[i & 3]](double a) { return sin(all(a) * c) + c; };
  return all(x[0]);
}

int main() {
  CHECK(passed_itself, 0.9, 1.2, 0.7, 0.4);
  CHECK(captures_itself, 0.9, 1.2, 0.7, 0.4);
  CHECK(composed, 0.9, 1.2, 0.7, 0.4);
  return failures;
}
