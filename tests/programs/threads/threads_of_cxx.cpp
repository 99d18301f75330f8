/* Threads of C++ 20, and their locks.
 * flags: -pthread -std=c++20 */
#include "../check.h"
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

enum { N = 6 };

static double std_thread(double *x) {
  double s = 0;
  std::mutex m;
  std::vector<std::thread> w;
  for (int k = 0; k < 4; k++)
    w.emplace_back([&, k] {
      double v = sin(x[k]) * k;
      std::lock_guard<std::mutex> g(m);
      s += v;
    });
  for (auto &t : w)
    t.join();
  return s * s;
}

static double std_jthread(double *x) {
  double y[4], s = 0;
  {
    std::vector<std::jthread> w;
    for (int k = 0; k < 4; k++)
      w.emplace_back([&, k](std::stop_token st) {
        if (!st.stop_requested())
          y[k] = sin(x[k]) * k;
      });
    for (auto &t : w)
      t.join(); /* the end of a jthread asks it to stop */
  }
  {
    std::jthread a([&] { s += x[5]; });
  }
  for (double v : y)
    s += v * v;
  return s * s;
}

static double std_mutexes(double *x) {
  double s = 0;
  std::mutex a, b;
  std::recursive_mutex r;
  std::timed_mutex t;
  std::shared_mutex sh;
  auto work = [&](int k) {
    std::scoped_lock l(a, b);
    std::unique_lock<std::recursive_mutex> u(r);
    std::lock_guard<std::recursive_mutex> u2(r);
    double v;
    {
      std::shared_lock<std::shared_mutex> g(sh);
      v = x[k] * x[5];
    }
    std::unique_lock<std::shared_mutex> g(sh);
    if (t.try_lock_for(std::chrono::seconds(10))) {
      s += v * v;
      t.unlock();
    }
  };
  std::thread p(work, 0), q(work, 1);
  p.join();
  q.join();
  return s * s;
}

static double std_lock_defer(double *x) {
  double s = 0;
  std::mutex a, b;
  auto work = [&](int k) {
    std::unique_lock<std::mutex> l(a, std::defer_lock), m(b, std::defer_lock);
    std::lock(l, m);
    s += x[k] * x[k];
    l.unlock();
    if (!l.try_lock())
      return;
    s += x[k];
  };
  std::thread p(work, 0), q(work, 1);
  p.join();
  q.join();
  return s * s;
}

static double call_once(double *x) {
  std::once_flag o;
  double a = 0;
  auto w = [&](int k) { std::call_once(o, [&] { a = x[0] * x[1]; }); };
  std::thread t(w, 0), u(w, 1);
  t.join();
  u.join();
  return a * a;
}

static double thread_ids(double *x) {
  double a = 0, b = 0;
  std::thread t([&] {
    a = x[0] * x[1];
    std::this_thread::sleep_for(std::chrono::microseconds(1));
  });
  auto id = t.get_id();
  if (id == std::this_thread::get_id())
    b = 1;
  std::thread u = std::move(t);
  unsigned h = std::thread::hardware_concurrency();
  u.join();
  return a * a + b * x[2] + (h > 1000) * x[3];
}

static double hardware_slots(double *x) {
  unsigned n = std::thread::hardware_concurrency();
  if (n == 0)
    n = 2;
  std::vector<double> part(n);
  std::vector<std::thread> t;
  for (unsigned k = 0; k < n; k++)
    t.emplace_back([&, k] {
      for (unsigned i = k; i < 20; i += n)
        part[k] += x[i % N] * i;
    });
  for (auto &a : t)
    a.join();
  double s = 0;
  for (double p : part)
    s += p;
  return s * s;
}

int main() {
  CHECK(std_thread, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(std_jthread, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(std_mutexes, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(std_lock_defer, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(call_once, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(thread_ids, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(hardware_slots, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
