/* std::thread in differentiated code: a thread's function runs where the thread is made. */
#include "../check.h"
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

static void add(const double *x, int from, int to, double &sum, std::mutex &lock) {
  double own = 0;
  for (int i = from; i < to; i++)
    own += std::sin(x[i % 3] * i) * x[(i + 1) % 3];
  std::lock_guard<std::mutex> guard(lock);
  sum += own;
}

static double threads(double *x) {
  double sum = 0, parts[4];
  std::mutex lock;
  std::vector<std::thread> workers;
  for (int k = 0; k < 4; k++)
    workers.emplace_back(add, x, 5 * k, 5 * (k + 1), std::ref(sum), std::ref(lock));
  for (auto &worker : workers)
    worker.join();
  std::vector<std::thread> others;
  for (int k = 0; k < 4; k++)
    others.push_back(std::thread([&parts, x, k, sum] { parts[k] = sum * x[k % 3] + k; }));
  for (auto &other : others)
    if (other.joinable())
      other.join();
  return parts[0] * parts[1] + parts[2] * parts[3];
}

int main() {
  CHECK(threads, 0.7, -0.4, 1.3);
  return failures;
}
