/* Threads that find what they wait for: conditions, latches, semaphores, atomic waits.
 * flags: -pthread -std=c++20 */
#include "../check.h"
#include <atomic>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>

enum { N = 6 };

static double atomic_wait(double *x) {
  double s = 0;
  std::atomic<int> ready{0};
  std::thread a([&] {
    s = x[0] * x[1];
    ready = 1;
    ready.notify_all();
  });
  ready.wait(0);
  double r = s * x[2];
  a.join();
  return r;
}

static double latch(double *x) {
  std::latch l(2);
  double a, b;
  std::thread t([&] {
    a = x[0] * x[1];
    l.count_down();
  }),
      u([&] {
        b = x[2] * x[3];
        l.count_down();
      });
  l.wait();
  double r = a * b;
  t.join();
  u.join();
  return r;
}

static double semaphore_cpp(double *x) {
  std::counting_semaphore<4> s(0);
  std::binary_semaphore m(1);
  double a = 0;
  std::thread t([&] {
    m.acquire();
    a += x[0] * x[1];
    m.release();
    s.release();
  }),
      u([&] {
        m.acquire();
        a += x[2];
        m.release();
        s.release();
      });
  s.acquire();
  s.acquire();
  double r = a * a;
  t.join();
  u.join();
  return r;
}

static double condition_cpp(double *x) {
  std::mutex m;
  std::condition_variable c;
  bool done = false;
  double a = 0;
  std::thread t([&] {
    {
      std::lock_guard<std::mutex> g(m);
      a = x[0] * x[1];
      done = true;
    }
    c.notify_one();
  });
  std::unique_lock<std::mutex> l(m);
  c.wait(l, [&] { return done; });
  double r = a * x[2];
  l.unlock();
  t.join();
  return r;
}

static double condition_timed(double *x) {
  std::mutex m;
  std::condition_variable c;
  bool done = false;
  double a = 0;
  std::thread t([&] {
    {
      std::lock_guard<std::mutex> g(m);
      a = x[0] * x[1];
      done = true;
    }
    c.notify_one();
  });
  std::unique_lock<std::mutex> l(m);
  while (!c.wait_for(l, std::chrono::seconds(1), [&] { return done; }))
    ;
  double r = a * x[2];
  l.unlock();
  t.join();
  return r;
}

int main() {
  CHECK(atomic_wait, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(latch, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(semaphore_cpp, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(condition_cpp, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(condition_timed, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
