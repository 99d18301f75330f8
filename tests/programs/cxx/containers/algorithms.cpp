/* std::accumulate, transform, inner_product, max_element, rotate and others on active numbers. */
#include "../../check.h"
#include <algorithm>
#include <numeric>
#include <vector>

static double sums(double *x) {
  std::vector<double> a(x, x + 3), b(3);
  std::transform(a.begin(), a.end(), b.begin(), [](double t) { return t * t; });
  double s = std::accumulate(b.begin(), b.end(), 1.0, [](double t, double u) { return t * u; });
  s += std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  std::partial_sum(a.begin(), a.end(), b.begin());
  s *= *std::max_element(b.begin(), b.end()) + *std::min_element(a.begin(), a.end());
  std::reverse(b.begin(), b.end());
  std::rotate(a.begin(), a.begin() + 1, a.end());
  std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::multiplies<>());
  std::adjacent_difference(a.begin(), a.end(), b.begin());
  std::replace_if(b.begin(), b.end(), [](double t) { return t < 0; }, x[0]);
  std::for_each(b.begin(), b.end(), [&s](double &t) { s += t *= 2; });
  std::fill(a.begin(), a.begin() + 1, x[2]);
  std::copy_backward(b.begin(), b.begin() + 2, a.end());
  auto removed = std::remove_if(a.begin(), a.end(), [](double t) { return t > 100; });
  return std::reduce(a.begin(), removed) * s + std::clamp(x[0], 0.0, x[1]) * std::max({x[0], x[1], x[2]});
}

int main() {
  CHECK(sums, 0.5, 1.6, 0.7);
  return failures;
}
