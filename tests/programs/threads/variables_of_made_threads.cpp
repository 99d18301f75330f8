/* Threads that the program makes have variables of their own, which begin as they do in each thread, and are destroyed
 * at its end. They are called differently from each other and from their maker.
 * flags: -pthread */
#include "../check.h"
#include <map>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <threads.h>
#include <vector>

enum { N = 6, THREADS = 3 };

/* No thread sets these before it reads them. The maker's stay as they are. */
static thread_local double product = 0.5;
static thread_local double *last;
static thread_local struct {
  int count;
  float weight;
  double sums[3];
} totals = {1, 0.25f, {1, 2, 3}};

static double take(double *x, int k) {
  for (int i = k; i < N; i += THREADS) {
    product *= 1 + x[i] * x[i];
    totals.sums[totals.count++ % 3] += x[i];
    if (last)
      product += *last;
    last = &x[i];
  }
  return product + totals.sums[0] * totals.sums[1] * totals.count + totals.weight * *last;
}
static double initial_values(double *x) {
  double results[THREADS], s;
  std::vector<std::thread> threads;
  product = x[1];
  totals.sums[0] = x[2] * x[3];
  last = x + 4;
  for (int k = 0; k < THREADS; k++)
    threads.emplace_back([&results, x, k] { results[k] = take(x, k); });
  for (auto &t : threads)
    t.join();
  s = product * totals.sums[0] * *last;
  for (double r : results)
    s += r * r;
  return s;
}

struct job {
  double *x, result;
  int k;
};
static void *run_of_posix(void *p) {
  job *j = static_cast<job *>(p);
  j->result = take(j->x, j->k);
  return p;
}
static int run_of_c11(void *p) {
  run_of_posix(p);
  product *= 2; /* not the maker's */
  return 0;
}
static double of_posix_and_c11(double *x) {
  pthread_t of_posix;
  thrd_t of_c11;
  job a = {x, 0, 0}, b = {x, 0, 1};
  product = x[5];
  pthread_create(&of_posix, nullptr, run_of_posix, &a);
  thrd_create(&of_c11, run_of_c11, &b);
  pthread_join(of_posix, nullptr);
  thrd_join(of_c11, nullptr);
  return a.result * b.result * product;
}

static double total;
static std::mutex of_total;
struct Summed {
  double sum = 0;
  ~Summed() {
    std::lock_guard<std::mutex> lock(of_total);
    total += sum * sum;
  }
};
static thread_local Summed summed;
static double destroyed(double *x) {
  std::vector<std::thread> threads;
  total = 0;
  summed.sum = x[0];
  for (int k = 0; k < THREADS; k++)
    threads.emplace_back([=] {
      for (int i = k; i < N; i += THREADS)
        summed.sum += x[i] * x[i];
    });
  for (auto &t : threads)
    t.join();
  return total * summed.sum;
}

static NOINLINE std::vector<double> &scratch() {
  static thread_local std::vector<double> numbers(3, 1.0);
  return numbers;
}
static double containers(double *x) {
  double results[THREADS];
  std::vector<std::thread> threads;
  for (int k = 0; k < THREADS; k++)
    threads.emplace_back([=, &results] {
      double s = 0;
      for (int i = k; i < N; i += THREADS) {
        scratch().push_back(x[i] * x[i]);
        scratch()[0] *= x[i];
      }
      for (double v : scratch())
        s += v;
      results[k] = s;
    });
  for (auto &t : threads)
    t.join();
  return results[0] * results[1] + results[2];
}

static double names(double *x) {
  std::map<std::thread::id, double> sums;
  std::mutex lock;
  std::vector<std::thread> threads;
  auto maker = std::this_thread::get_id();
  sums[maker] = x[0];
  for (int k = 0; k < THREADS; k++)
    threads.emplace_back([&, k] {
      auto own = std::this_thread::get_id();
      for (int i = k; i < N; i += THREADS) {
        std::lock_guard<std::mutex> guard(lock);
        sums[own] += x[i] * x[i] * (own == maker ? 3 : 1);
      }
    });
  double s = 0;
  for (auto &t : threads) {
    auto name = t.get_id();
    t.join();
    s += sums[name] * sums[name] * sums[name];
  }
  return s + sums[maker] * x[1];
}

int main() {
  CHECK(initial_values, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_posix_and_c11, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(destroyed, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(containers, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(names, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
