/* std::sort, stable_sort, nth_element, partial_sort, lower_bound of active numbers. */
#include "../../check.h"
#include <algorithm>
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

int main() {
  CHECK(sorted, 0.5, 1.6, 0.7);
  return failures;
}
