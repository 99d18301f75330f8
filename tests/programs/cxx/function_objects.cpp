/* std::function, function objects with state, std::bind, pointers to members, a table of std::function. */
#include "../check.h"
#include <functional>
#include <vector>

struct line {
  double slope, offset;
  double operator()(double x) const { return slope * x + offset; }
  double at(double x) const { return slope * x * x; }
};

NOINLINE static double fold(const std::vector<std::function<double(double)>> &steps, double x) {
  for (const auto &step : steps)
    x = step(x);
  return x;
}

static double cube(double x) { return x * x * x; }

static double f(double *x) {
  std::vector<std::function<double(double)>> steps{line{x[0], x[1]}, cube, [x](double t) { return t * x[2]; }};
  double large[4] = {x[0], x[1], x[2], 2};
  steps.push_back([large](double t) { return large[0] * t + large[1] * large[2] + large[3]; });
  steps.push_back(std::bind(std::plus<double>(), std::placeholders::_1, x[1]));
  line l{x[1], x[2]};
  steps.emplace_back([&l](double t) { return l.at(t); });
  double (line::*member)(double) const = &line::at;
  double line::*field = &line::slope;
  l.*field += x[0];
  std::function<double(double)> copy = steps[0];
  return fold(steps, x[0]) + (l.*member)(x[1]) + copy(x[2]) * std::negate<>()(x[0]) + std::invoke(member, l, x[0]);
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
