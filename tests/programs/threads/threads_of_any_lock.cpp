/* Conditions for locks of any kind, which ask for exceptions in flight when they lock again: of a mutex, of readers, of a
 * class of the program; with a time limit, and until a thread is asked to stop.
 * flags: -pthread -std=c++20 */
#include "../check.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <thread>

struct Lock {
  std::mutex m;
  void lock() { m.lock(); }
  void unlock() { m.unlock(); }
};

static double any_lock(double *x) {
  std::condition_variable_any c;
  std::shared_mutex readers;
  Lock own;
  bool is_made = false, is_scaled = false;
  double v = 0, r = 0;
  std::thread reader([&] {
    std::shared_lock<std::shared_mutex> l(readers);
    c.wait(l, [&] { return is_scaled; });
    r = sin(v) * x[2];
  });
  std::thread owner([&] {
    own.lock();
    while (!is_made)
      c.wait(own);
    own.unlock();
    {
      std::lock_guard<std::shared_mutex> l(readers);
      v *= x[1];
      is_scaled = true;
    }
    c.notify_all();
  });
  std::thread maker([&] {
    {
      std::lock_guard<Lock> l(own);
      v = x[0] * x[0];
      is_made = true;
    }
    c.notify_all();
  });
  reader.join(), owner.join(), maker.join();
  return r + x[0] * v;
}

static double timed(double *x) {
  std::condition_variable_any c;
  std::mutex m;
  std::unique_lock<std::mutex> l(m);
  bool found = c.wait_for(l, std::chrono::milliseconds(1), [] { return false; });
  return found ? x[0] : x[0] * x[1];
}

static double stopped(double *x) {
  std::condition_variable_any c;
  std::mutex m;
  double r = 0;
  std::jthread t([&](std::stop_token stop) {
    std::unique_lock<std::mutex> l(m);
    bool found = c.wait(l, stop, [] { return false; });
    r = found ? x[0] : x[0] * x[1];
  });
  t.request_stop();
  t.join();
  return r * x[1];
}

int main() {
  CHECK(any_lock, 0.4, 1.3, 0.8);
  CHECK(timed, 0.4, 1.3);
  CHECK(stopped, 0.4, 1.3);
  return failures;
}
