/* oneTBB's parallel_reduce and parallel_deterministic_reduce: functions, bodies, partitioners; parallel_scan.
 * flags: -std=c++17 -ltbb */
#include "../check.h"
#include <functional>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <vector>

enum { N = 300 };
using Range = tbb::blocked_range<int>;

struct Sum {
  const double *y;
  double sum = 0;
  Sum(const double *y) : y(y) {}
  Sum(Sum &other, tbb::split) : y(other.y) {}
  void operator()(const Range &r) {
    for (int i = r.begin(); i < r.end(); i++)
      sum += y[i] * y[i];
  }
  void join(const Sum &other) { sum += other.sum; }
};

static std::vector<double> numbers(const double *x) {
  std::vector<double> y(N);
  for (int i = 0; i < N; i++)
    y[i] = cos(x[0] * i) + x[1];
  return y;
}

static double of_functions(double *x) {
  std::vector<double> y = numbers(x);
  auto sum = [&](const Range &r, double s) {
    for (int i = r.begin(); i < r.end(); i++)
      s += y[i] * sin(y[i]);
    return s;
  };
  auto product = [&](const Range &r, double s) {
    for (int i = r.begin(); i < r.end(); i++)
      s *= y[i];
    return s;
  };
  double a = tbb::parallel_reduce(Range(0, N), 0.0, sum, std::plus<double>());
  double b = tbb::parallel_reduce(Range(0, 8), 1.0, product, std::multiplies<double>(), tbb::simple_partitioner());
  double c = tbb::parallel_deterministic_reduce(Range(0, N, 7), 0.0, sum, std::plus<double>());
  double d = tbb::parallel_deterministic_reduce(Range(0, N), 0.0, sum, std::plus<double>(), tbb::static_partitioner());
  return a + b + c * x[0] + d * x[1];
}

static double of_bodies(double *x) {
  std::vector<double> y = numbers(x);
  Sum whole(y.data()), parts(y.data()), same(y.data());
  tbb::parallel_reduce(Range(0, N), whole);
  tbb::parallel_reduce(Range(0, N, 10), parts, tbb::simple_partitioner());
  tbb::parallel_deterministic_reduce(Range(0, N, 10), same);
  return whole.sum + sin(parts.sum) + same.sum * x[0];
}

static double of_a_scan(double *x) {
  std::vector<double> y = numbers(x), z(N);
  double all = tbb::parallel_scan(
      Range(0, N), 0.0,
      [&](const Range &r, double s, bool is_final) {
        for (int i = r.begin(); i < r.end(); i++) {
          s += y[i] * x[1];
          if (is_final)
            z[i] = s;
        }
        return s;
      },
      std::plus<double>());
  double sum = all * all;
  for (double v : z)
    sum += sin(v);
  return sum;
}

int main() {
  CHECK(of_functions, 0.3, 1.7);
  CHECK(of_bodies, 0.3, 1.7);
  CHECK(of_a_scan, 0.3, 1.7);
  return failures;
}
