/* std::function in company: objects kept in place and on the heap, functions, closures, std::bind, in one table. */
#include "../../check.h"
#include "steps.h"

struct line {
  double slope, offset;
  double operator()(double x) const { return slope * x + offset; }
};

static std::vector<step> all(double *x, const line &l) {
  std::vector<step> steps{line{x[0], x[1]}, cube, [x](double t) { return t * x[2]; }};
  double large[4] = {x[0], x[1], x[2], 2};
  steps.push_back([large](double t) { return large[0] * t + large[1] * large[2] + large[3]; });
  steps.push_back(std::bind(std::plus<double>(), std::placeholders::_1, x[1]));
  steps.emplace_back([&l](double t) { return l(t); });
  return steps;
}

static double f(double *x) {
  line l{x[1], x[2]};
  auto steps = all(x, l);
  auto again = steps;
  step copy = again[3], other = again[4];
  std::swap(copy, other);
  again[1] = copy;
  return fold(steps, x[0]) + fold(again, x[2] / 8) * other(x[1]);
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
