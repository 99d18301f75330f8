/* Atomic numbers that threads change, and what waits for them.
 * flags: -pthread -std=c++20 */
#include "../check.h"
#include <atomic>
#include <thread>
#include <vector>

enum { N = 6 };

static double atomics_cpp(double *x) {
  std::atomic<double> s{0};
  std::atomic<int> n{0};
  std::atomic<bool> flag{false};
  auto w = [&](int k) {
    s.fetch_add(x[k] * k);
    n++;
    double o = s.load();
    while (!s.compare_exchange_weak(o, o + x[k] * x[k]))
      ;
    s += x[5];
    s -= x[4];
    flag.store(true, std::memory_order_release);
  };
  std::thread a(w, 1), b(w, 2);
  a.join();
  b.join();
  double r = s.exchange(x[0]);
  return r * s * n * flag;
}

static double atomic_float_ref(double *x) {
  double s = 0;
  float g = 1;
  auto w = [&](int k) {
    std::atomic_ref<double> r(s);
    r.fetch_add(x[k] * k);
    std::atomic_ref<float> q(g);
    q = 2.f;
  };
  std::thread a(w, 1), b(w, 2);
  a.join();
  b.join();
  return s * s * g;
}

static double atomic_flag_spin(double *x) {
  double s = 0;
  std::atomic_flag l = ATOMIC_FLAG_INIT;
  auto w = [&](int k) {
    while (l.test_and_set(std::memory_order_acquire))
      std::this_thread::yield();
    s += x[k] * k;
    l.clear(std::memory_order_release);
  };
  std::thread a(w, 1), b(w, 2);
  a.join();
  b.join();
  return s * s;
}

static double atomic_index(double *x) {
  double y[20], s = 0;
  std::atomic<int> next{0};
  auto w = [&] {
    for (int i; (i = next++) < 20;)
      y[i] = sin(x[i % N]) * i;
  };
  std::vector<std::thread> t;
  for (int k = 0; k < 3; k++)
    t.emplace_back(w);
  for (auto &a : t)
    a.join();
  for (int i = 0; i < 20; i++)
    s += y[i] * y[19 - i];
  return s;
}

int main() {
  CHECK(atomics_cpp, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(atomic_float_ref, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(atomic_flag_spin, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(atomic_index, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
