/* std::function with captures that need memory of their own, copied and moved. */
#include "../../check.h"
#include <array>
#include <functional>
#include <vector>

static double large_captures(double *x) {
  std::array<double, 6> weights{x[0], x[1], x[0] * x[1], 1, 2, x[2]};
  std::vector<double> numbers(x, x + 3);
  std::function<double(double)> first = [weights, numbers](double t) {
    double sum = 0;
    for (int i = 0; i < 6; i++)
      sum += weights[i] * std::pow(t, i % 3);
    return sum + numbers[1] * numbers[2];
  };
  std::function<double(double)> copy = first, moved = std::move(first);
  return copy(x[0]) * moved(x[1] * 0.5);
}

int main() {
  CHECK(large_captures, 0.7, 1.2, 0.4);
  return failures;
}
