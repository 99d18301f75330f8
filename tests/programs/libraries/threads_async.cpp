/* std::async in differentiated code: a function runs where it is passed. */
#include "../check.h"
#include <future>

static double part(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += std::sin(x[i]) * x[i];
  return s;
}
static double async(double *x) {
  auto a = std::async(std::launch::async, part, x, 2);
  auto b = std::async(std::launch::async, part, x + 1, 2);
  return a.get() * b.get();
}

int main() {
  CHECK(async, .4, .7, .2);
  return failures;
}
