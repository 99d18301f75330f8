/* oneTBB's containers: numbers of each thread, vectors, queues, maps.
 * flags: -std=c++17 -ltbb */
#include "../check.h"
#include <tbb/combinable.h>
#include <tbb/concurrent_priority_queue.h>
#include <tbb/concurrent_queue.h>
#include <tbb/concurrent_unordered_map.h>
#include <tbb/concurrent_vector.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

static double plus(double a, double b) { return a + b; }

static double of_each_thread(double *x) {
  tbb::enumerable_thread_specific<double> sums(0.0);
  tbb::combinable<double> others([] { return 0.0; });
  tbb::parallel_for(0, 100, [&](int i) {
    sums.local() += sin(x[0] * i);
    others.local() += x[1] * x[1];
  });
  double sum = 0;
  for (double v : sums)
    sum += v;
  return sum * sum + others.combine(plus) + sums.combine(plus);
}

static double of_a_vector(double *x) {
  tbb::concurrent_vector<double> y;
  tbb::parallel_for(0, 60, [&](int i) { y.push_back(sin(x[0] * i) * x[1]); });
  y.grow_by(4, x[0]);
  double sum = 0;
  for (double v : y)
    sum += v * v;
  for (size_t i = 0; i < y.size(); i++)
    sum += y[i] * x[1];
  return sum;
}

static double of_queues(double *x) {
  tbb::concurrent_queue<double> queue;
  tbb::concurrent_priority_queue<double> sorted;
  tbb::parallel_for(0, 20, [&](int i) {
    queue.push(sin(x[0] * i) * x[1]);
    sorted.push(sin(i) * x[0] + x[1]);
  });
  double sum = 0, v;
  int k = 1;
  while (queue.try_pop(v))
    sum += v * v;
  while (sorted.try_pop(v))
    sum += v * v * k++;
  return sum;
}

static double of_a_map(double *x) {
  tbb::concurrent_unordered_map<int, double> map;
  tbb::parallel_for(0, 20, [&](int i) { map[i] = sin(x[0] * i) * x[1]; });
  double sum = 0;
  for (auto &entry : map)
    sum += entry.second * entry.second * entry.first;
  return sum;
}

int main() {
  CHECK(of_each_thread, 0.3, 1.7);
  CHECK(of_a_vector, 0.3, 1.7);
  CHECK(of_queues, 0.3, 1.7);
  CHECK(of_a_map, 0.3, 1.7);
  return failures;
}
