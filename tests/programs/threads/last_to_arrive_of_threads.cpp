/* The last thread to arrive goes on with what others have done: by a function, a virtual function, and a tree of counters.
 * flags: -pthread */
#include "../check.h"
#include <atomic>
#include <thread>
#include <vector>

enum { N = 6, ITEMS = 240, THREADS = 4 };

static double part_of(const double *x, int own) {
  double sum = 0;
  for (int i = own; i < ITEMS; i += THREADS)
    sum += sin(x[i % N] * i) * x[(i + 1) % N];
  return sum;
}

struct Counter {
  std::atomic<int> left{THREADS};
  virtual ~Counter() {}
  virtual bool is_last() { return left.fetch_sub(1) == 1; }
};
struct CounterUp : Counter {
  std::atomic<int> arrived{0};
  bool is_last() override { return ++arrived == THREADS; }
};
static Counter *made(int which) { return which ? new CounterUp : new Counter; }

template <typename Function> static void on_threads(Function function) {
  std::vector<std::thread> threads;
  for (int own = 0; own < THREADS; own++)
    threads.emplace_back(function, own);
  for (std::thread &thread : threads)
    thread.join();
}

NOINLINE static bool arrives_last(std::atomic<int> &left) { return left.fetch_sub(1, std::memory_order_acq_rel) == 1; }

static double by_function(double *x) {
  double parts[THREADS], sum = 0;
  std::atomic<int> left{THREADS};
  on_threads([&](int own) {
    parts[own] = part_of(x, own);
    if (arrives_last(left))
      for (double part : parts)
        sum += part * part;
  });
  return sum;
}

static int which;
static double by_virtual_function(double *x) {
  double parts[THREADS], sum = 0;
  Counter *counter = made(which);
  on_threads([&](int own) {
    parts[own] = part_of(x, own);
    if (counter->is_last())
      for (double part : parts)
        sum += part * part;
  });
  delete counter;
  return sum;
}

static double by_tree(double *x) {
  double leaves[THREADS], nodes[THREADS / 2] = {0, 0}, root = 0;
  std::atomic<int> arrived[THREADS / 2 + 1] = {{0}, {0}, {0}};
  on_threads([&](int own) {
    leaves[own] = part_of(x, own);
    if (arrived[own / 2].fetch_add(1) == 1) {
      nodes[own / 2] = leaves[own / 2 * 2] * leaves[own / 2 * 2 + 1];
      if (arrived[THREADS / 2].fetch_add(1) == 1)
        root = nodes[0] * nodes[0] + sin(nodes[1]) * nodes[0];
    }
  });
  return root;
}

int main() {
  CHECK(by_function, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  for (which = 0; which < 2; which++)
    CHECK(by_virtual_function, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(by_tree, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
