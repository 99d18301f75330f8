/* The algorithms of C++ 17 and 20 with execution policies: libstdc++ makes them of oneTBB.
 * flags: -std=c++20 -ltbb */
#include "../check.h"
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>
#include <vector>

template <class Policy> static double under(Policy policy, const double *x) {
  std::vector<double> y(100), z(100), w(100);
  for (int i = 0; i < 100; i++)
    y[i] = cos(x[0] * i) + x[1];
  std::for_each(policy, y.begin(), y.end(), [](double &v) { v = v * sin(v); });
  std::transform(policy, y.begin(), y.end(), z.begin(), [&](double v) { return v * x[0]; });
  double a = std::reduce(policy, z.begin(), z.end(), 0.0);
  double b = std::transform_reduce(policy, y.begin(), y.end(), z.begin(), 0.0);
  double c = std::transform_reduce(policy, y.begin(), y.end(), 0.0, std::plus<>(), [](double v) { return v * v; });
  std::inclusive_scan(policy, y.begin(), y.end(), z.begin());
  std::exclusive_scan(policy, y.begin(), y.end(), w.begin(), x[0]);
  double sum = a + b * c;
  for (int i = 0; i < 100; i++)
    sum += z[i] * w[i] * i * 1e-3;
  return sum;
}

static double seq(double *x) { return under(std::execution::seq, x); }
static double par(double *x) { return under(std::execution::par, x); }
static double par_unseq(double *x) { return under(std::execution::par_unseq, x); }

static double unseq(double *x) { return under(std::execution::unseq, x); }

int main() {
  CHECK(seq, 0.3, 1.7);
  CHECK(unseq, 0.3, 1.7);
  CHECK(par, 0.3, 1.7);
  CHECK(par_unseq, 0.3, 1.7);
  return failures;
}
