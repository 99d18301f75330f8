/* oneTBB's parallel_for: ranges, indices, steps, partitioners, ranges of the program, and loops in loops.
 * flags: -std=c++17 -ltbb */
#include "../check.h"
#include <tbb/blocked_range2d.h>
#include <tbb/blocked_range3d.h>
#include <tbb/parallel_for.h>
#include <vector>

static double total(const std::vector<double> &y) {
  double sum = 0;
  for (size_t i = 0; i < y.size(); i++)
    sum += y[i] * y[i] * (1 + i % 3);
  return sum;
}

static double by_index(double *x) {
  std::vector<double> y(100);
  tbb::parallel_for(0, 100, [&](int i) { y[i] = sin(x[0] * i) * x[1]; });
  tbb::parallel_for(size_t(0), size_t(100), size_t(3), [&](size_t i) { y[i] *= x[0]; });
  return total(y);
}

static double by_partitioners(double *x) {
  std::vector<double> y(400);
  auto body = [&](const tbb::blocked_range<int> &r) {
    for (int i = r.begin(); i < r.end(); i++)
      y[i] += sin(x[0] * i) * x[1];
  };
  tbb::parallel_for(tbb::blocked_range<int>(0, 300), body);
  tbb::parallel_for(tbb::blocked_range<int>(0, 300), body, tbb::auto_partitioner());
  tbb::parallel_for(tbb::blocked_range<int>(0, 300), body, tbb::static_partitioner());
  tbb::affinity_partitioner partitioner;
  for (int k = 0; k < 3; k++)
    tbb::parallel_for(tbb::blocked_range<int>(0, 300), body, partitioner);
  tbb::parallel_for(
      tbb::blocked_range<int>(0, 400, 16),
      [&](const tbb::blocked_range<int> &r) {
        double part[16]; /* the parts of this partitioner are no longer */
        for (size_t i = 0; i < r.size(); i++)
          part[i] = y[r.begin() + i] * x[0];
        for (size_t i = 0; i < r.size(); i++)
          y[r.begin() + i] = part[i] * part[r.size() - 1 - i];
      },
      tbb::simple_partitioner());
  return total(y);
}

static double of_more_dimensions(double *x) {
  std::vector<double> y(400);
  tbb::parallel_for(tbb::blocked_range2d<int>(0, 20, 0, 20), [&](const tbb::blocked_range2d<int> &r) {
    for (int i = r.rows().begin(); i < r.rows().end(); i++)
      for (int j = r.cols().begin(); j < r.cols().end(); j++)
        y[20 * i + j] = x[1] * j + x[0] * i;
  });
  tbb::parallel_for(tbb::blocked_range3d<int>(0, 4, 0, 10, 0, 10), [&](const tbb::blocked_range3d<int> &r) {
    for (int i = r.pages().begin(); i < r.pages().end(); i++)
      for (int j = r.rows().begin(); j < r.rows().end(); j++)
        for (int k = r.cols().begin(); k < r.cols().end(); k++)
          y[100 * i + 10 * j + k] *= x[0];
  });
  return total(y);
}

struct Pairs {
  int begin, end;
  Pairs(int begin, int end) : begin(begin), end(end) {}
  Pairs(Pairs &other, tbb::split) : begin((other.begin + other.end) / 2), end(other.end) { other.end = begin; }
  bool empty() const { return begin >= end; }
  bool is_divisible() const { return end - begin > 4; }
};

static double of_own_ranges(double *x) {
  std::vector<double> y(64);
  tbb::parallel_for(Pairs(0, 8), [&](const Pairs &rows) {
    for (int i = rows.begin; i < rows.end; i++)
      tbb::parallel_for(
          Pairs(0, 8),
          [&, i](const Pairs &columns) {
            for (int j = columns.begin; j < columns.end; j++)
              y[8 * i + j] = sin(x[0] * i + x[1] * j);
          },
          tbb::simple_partitioner());
  });
  return total(y);
}

int main() {
  CHECK(by_index, 0.3, 1.7);
  CHECK(by_partitioners, 0.3, 1.7);
  CHECK(of_more_dimensions, 0.3, 1.7);
  CHECK(of_own_ranges, 0.3, 1.7);
  return failures;
}
