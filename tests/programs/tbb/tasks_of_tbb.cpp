/* oneTBB's parallel_invoke, task groups in recursion and with handles, exceptions, cancelled groups, and parallel_for_each
 * with a feeder.
 * flags: -std=c++17 -ltbb */
#include "../check.h"
#include <list>
#include <stdexcept>
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_invoke.h>
#include <tbb/spin_mutex.h>
#include <tbb/task_group.h>
#include <vector>

static double grown(double x, int n) {
  if (n < 2)
    return x * (n + 1);
  double a, b;
  tbb::task_group group;
  group.run([&] { a = grown(x * 1.1, n - 1); });
  group.run([&] { b = grown(sin(x), n - 2); });
  group.wait();
  return a * b + a;
}

static double of_groups(double *x) {
  double a, b, c, d = 0, e = 0;
  tbb::parallel_invoke([&] { a = sin(x[0]); }, [&] { b = cos(x[1]) * x[0]; }, [&] { c = x[0] * x[1]; });
  tbb::task_group group;
  group.run([&] { d = a * b; });
  group.run_and_wait([&] { e = b * c; });
  tbb::task_handle later = group.defer([&] { e += d * x[1]; });
  group.run(std::move(later));
  bool is_complete = group.wait() == tbb::complete;
  return a + b * c + (is_complete ? d * e : 0) + grown(x[1] * 0.1, 6);
}

static double of_exceptions(double *x) {
  std::vector<double> y(60);
  try {
    tbb::parallel_for(0, 60, [&](int i) {
      y[i] = sin(x[0] * i);
      if (i == 50 && x[1] > 1)
        throw std::runtime_error("too large");
    });
  } catch (const std::runtime_error &) {
    for (int i = 0; i < 60; i++)
      y[i] = cos(x[1] * i);
  }
  double sum = 0;
  for (double v : y)
    sum += v * v;
  tbb::task_group group;
  try {
    group.run([&] {
      if (sum > -1)
        throw 2;
    });
    group.wait();
  } catch (int k) {
    sum *= x[0] * k;
  }
  return sum;
}

static double of_a_cancelled_group(double *x) {
  double y[100] = {0};
  tbb::task_group_context group;
  tbb::parallel_for(
      0, 1,
      [&](int) {
        for (int i = 0; i < 100 && !group.is_group_execution_cancelled(); i++) {
          y[i] = sin(x[0] * i) * x[1];
          if (i == 40)
            group.cancel_group_execution();
        }
      },
      group);
  double sum = 0;
  for (double v : y)
    sum += v * v;
  return sum;
}

struct Item {
  double value;
  int depth;
};

static double of_items(double *x) {
  double sum = 0;
  tbb::spin_mutex mutex;
  std::list<Item> items{{x[0], 3}, {x[1], 2}};
  tbb::parallel_for_each(items.begin(), items.end(), [&](Item &item, tbb::feeder<Item> &feeder) {
    {
      tbb::spin_mutex::scoped_lock lock(mutex);
      sum += sin(item.value) * item.value;
    }
    if (item.depth) {
      feeder.add(Item{item.value * x[1], item.depth - 1});
      feeder.add(Item{item.value + x[0], item.depth - 1});
    }
  });
  std::vector<double> y(50, sum);
  tbb::parallel_for_each(y, [&](double &v) { v *= x[0]; });
  for (int i = 0; i < 50; i++)
    sum += y[i] * i;
  return sum;
}

int main() {
  CHECK(of_groups, 0.3, 1.7);
  CHECK(of_exceptions, 0.3, 1.7);
  CHECK(of_exceptions, 0.3, 0.7);
  CHECK(of_a_cancelled_group, 0.3, 1.7);
  CHECK(of_items, 0.3, 1.7);
  return failures;
}
