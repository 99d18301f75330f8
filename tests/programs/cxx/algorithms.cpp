/* std::sort, accumulate, transform, inner_product, lower_bound, max_element and others on active numbers. */
#include "../check.h"
#include <algorithm>
#include <numeric>
#include <vector>

static double sorted(double *x) {
  std::vector<double> v;
  for (int i = 0; i < 40; i++)
    v.push_back(sin(i * 3.7 + 1) * x[i % 3]);
  std::sort(v.begin(), v.end());
  double s = 0;
  for (std::size_t i = 0; i < v.size(); i++)
    s += v[i] * i;
  std::stable_sort(v.begin(), v.end(), [](double a, double b) { return a * a > b * b; });
  s += v[3] * v[30];
  std::nth_element(v.begin(), v.begin() + 20, v.end());
  std::partial_sort(v.begin(), v.begin() + 5, v.end());
  return s * v[20] + v[4] + *std::lower_bound(v.begin(), v.begin() + 5, -1.0);
}

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
  CHECK(sorted, 0.5, 1.6, 0.7);
  CHECK(sums, 0.5, 1.6, 0.7);
  return failures;
}
