/* Threads that look again and again, end themselves, throw, and run once what others wait for.
 * flags: -pthread -std=c++20 */
#include "../check.h"
#include <atomic>
#include <future>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <stdexcept>
#include <thread>

static double loops(double *x) {
  std::atomic<bool> is_ready{false};
  std::atomic_flag lock = ATOMIC_FLAG_INIT;
  std::atomic<int> phase{0};
  double v = 0, w = 1;
  std::thread consumer([&] {
    while (!is_ready.load(std::memory_order_acquire))
      ;
    v *= x[1];
    phase = 1;
  });
  std::thread second([&] {
    while (phase < 1)
      ;
    while (lock.test_and_set())
      ;
    w *= v * x[2];
    lock.clear();
  });
  v = sin(x[0]);
  is_ready.store(true, std::memory_order_release);
  while (lock.test_and_set())
    ;
  w += x[3];
  lock.clear();
  consumer.join();
  second.join();
  return w * v;
}

/* looks, and does something meanwhile: counts, pauses longer and longer, works on numbers of its own */
static double meanwhile(double *x) {
  std::atomic<int> phase{0}, lock{1};
  double v = 0, w = 0;
  long count = 0, failures = 0;
  std::thread counts([&] {
    while (phase.load() < 1)
      count++;
    v *= x[1];
    phase = 2;
  });
  std::thread pauses([&] {
    for (int length = 1; phase.load() < 2; length *= 2)
      for (volatile int k = 0; k < length && k < 100; k = k + 1)
        ;
    int expected = 0;
    while (!lock.compare_exchange_weak(expected, 1)) {
      expected = 0;
      failures++;
    }
    w += v * x[2];
    lock = 0;
  });
  std::thread works([&] {
    double own = x[3];
    while (phase.load() != 1 && phase.load() != 2)
      own = own * 0.5 + x[3] * 0.5; // stays x[3]
    w += own * own;
    lock = 0;
  });
  v = sin(x[0]);
  phase = 1;
  counts.join(), works.join(), pauses.join();
  return w * v;
}

struct meeting {
  double *x, sum;
  pthread_barrier_t barrier;
};
static void *leaves(void *p) {
  meeting *m = static_cast<meeting *>(p);
  double own = m->x[1] * m->x[0];
  if (m->x[0] > 0) {
    pthread_barrier_wait(&m->barrier);
    m->sum += sin(m->sum) * own;
    pthread_exit(m->x + 2);
  }
  return nullptr;
}
static double exits(double *x) {
  meeting m = {x, x[3], {}};
  pthread_t thread;
  void *result;
  pthread_barrier_init(&m.barrier, nullptr, 2);
  pthread_create(&thread, nullptr, leaves, &m);
  m.sum *= m.sum;
  pthread_barrier_wait(&m.barrier);
  pthread_join(thread, &result);
  pthread_barrier_destroy(&m.barrier);
  return m.sum * *static_cast<double *>(result);
}

static double throws(double *x) {
  std::promise<double> a, b;
  double s = x[0];
  std::thread thread([&] {
    try {
      s *= a.get_future().get();
      if (s < 10)
        throw std::runtime_error("small");
      s += x[1];
    } catch (const std::runtime_error &) {
      s *= x[2];
      b.set_exception(std::make_exception_ptr(s));
    }
  });
  a.set_value(x[1] * x[1]);
  try {
    s += b.get_future().get();
  } catch (double v) {
    s += sin(v);
  }
  thread.join();
  return s * s;
}

static double once(double *x) {
  std::once_flag flag;
  sem_t go;
  sem_init(&go, 0, 0);
  double v = 0, a = 0, b = 0;
  auto set = [&] {
    sem_wait(&go);
    v = sin(x[0]) * x[1];
  };
  std::thread first([&] {
    std::call_once(flag, set);
    a = v * x[2];
  });
  std::thread second([&] {
    std::call_once(flag, set);
    b = v * x[3];
  });
  sem_post(&go);
  first.join();
  second.join();
  sem_destroy(&go);
  return a * b;
}

static double tries(double *x) {
  std::mutex a;
  std::timed_mutex b;
  std::promise<void> holds;
  double s = x[0];
  std::thread holder([&] {
    std::lock_guard<std::mutex> lock(a);
    holds.set_value();
    std::this_thread::yield();
    s *= x[1];
  });
  holds.get_future().wait();
  std::thread other([&] {
    while (!a.try_lock()) {
    }
    s += x[2];
    a.unlock();
    std::lock_guard<std::timed_mutex> lock(b);
    std::this_thread::sleep_for(std::chrono::microseconds(1));
    s *= s;
  });
  other.join();
  while (!b.try_lock_for(std::chrono::milliseconds(1))) {
  }
  s *= x[3];
  b.unlock();
  holder.join();
  return s;
}

static double deferred(double *x) {
  std::promise<double> p;
  auto value = p.get_future();
  auto later = std::async(std::launch::deferred, [&] { return value.get() * x[0]; });
  auto now = std::async(std::launch::async, [&] { return later.get() * x[1]; });
  p.set_value(sin(x[2]));
  return now.get() * x[3];
}

int main() {
  CHECK(loops, 0.6, -0.7, 1.1, 0.45);
  CHECK(meanwhile, 0.6, -0.7, 1.1, 0.45);
  CHECK(exits, 0.6, -0.7, 1.1, 0.45);
  CHECK(throws, 0.6, -0.7, 1.1);
  CHECK(once, 0.6, -0.7, 1.1, 0.45);
  CHECK(tries, 0.6, -0.7, 1.1, 0.45);
  CHECK(deferred, 0.6, -0.7, 1.1, 0.45);
  return failures;
}
