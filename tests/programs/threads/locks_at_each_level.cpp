/* Shared locks and spinning beside lists of threads: what locks write are no numbers, also where -O0 hides types.
 * flags: -pthread -std=c++20 */
#include "../check.h"
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

enum { N = 6, THREADS = 3 };

static double shared(double *x) {
  std::shared_mutex lock;
  double best = -1, sum = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < THREADS; k++)
    threads.emplace_back([&, k] {
      for (int i = k; i < N; i += THREADS) {
        {
          std::shared_lock reading(lock);
          if (best > 1e6)
            return;
        }
        std::unique_lock writing(lock);
        if (x[i] * x[i] > best)
          best = x[i] * x[i];
        sum += x[i] * x[(i + 1) % N];
      }
    });
  for (auto &t : threads)
    t.join();
  return best * sum;
}
static double spinning(double *x) {
  std::atomic<double> sum{0}, last{0};
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
  double product = 1;
  std::vector<std::jthread> threads;
  for (int k = 0; k < THREADS; k++)
    threads.emplace_back([&, k] {
      for (int i = k; i < N; i += THREADS) {
        sum.fetch_add(x[i] * x[i]);
        last.exchange(x[0] * 2);
        while (flag.test_and_set()) {
        }
        product *= 1 + 0.1 * x[i];
        flag.clear();
      }
    });
  threads.clear();
  return sum * last * product;
}

int main() {
  CHECK(shared, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(spinning, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
