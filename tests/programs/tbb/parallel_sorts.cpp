/* Parallel algorithms that move numbers: sorts, merges, copies, and others of C++ 17; oneTBB's own sort. The ranges are so
 * long that several threads would work on them.
 * flags: -std=c++17 -ltbb */
#include "../check.h"
#include <algorithm>
#include <execution>
#include <numeric>
#include <tbb/parallel_sort.h>
#include <vector>

enum { N = 3000 };

static double sorted_and_merged(double *x) {
  const auto &par = std::execution::par;
  std::vector<double> y(N), z(N), w(2 * N);
  for (int i = 0; i < N; i++)
    y[i] = cos(i * i) * x[1] + x[0] * x[0], z[i] = sin(i) * x[1] + x[0] * x[0];
  std::sort(par, y.begin(), y.end());
  std::stable_sort(par, z.begin(), z.end(), [](double a, double b) { return a > b; });
  std::reverse(par, z.begin(), z.end());
  std::merge(par, y.begin(), y.end(), z.begin(), z.end(), w.begin());
  std::copy(par, y.begin(), y.begin() + 100, z.begin() + 20);
  std::fill(par, z.begin(), z.begin() + 10, 5 * x[1]);
  double largest = *std::max_element(par, w.begin(), w.end());
  tbb::parallel_sort(z.begin(), z.end());
  double sum = largest * x[0];
  for (int i = 0; i < N; i++)
    sum += (sin(y[i]) + z[i] * w[2 * i]) * i * 1e-3;
  return sum;
}

int main() {
  CHECK(sorted_and_merged, 0.3, 1.7);
  return failures;
}
