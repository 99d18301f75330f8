/* oneTBB's arenas and mutexes. The program's own calls keep their threads, also those that use an arena which a derivative
 * has made.
 * flags: -std=c++17 -ltbb */
#include "../check.h"
#include <mutex>
#include <oneapi/tbb/mutex.h>
#include <oneapi/tbb/rw_mutex.h>
#include <set>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/queuing_mutex.h>
#include <tbb/queuing_rw_mutex.h>
#include <tbb/spin_mutex.h>
#include <tbb/spin_rw_mutex.h>
#include <tbb/task_arena.h>
#include <thread>

template <class Mutex> static double locked(const double *x) {
  Mutex mutex;
  double sum = 0;
  tbb::parallel_for(0, 30, [&](int i) {
    typename Mutex::scoped_lock lock(mutex);
    sum += sin(x[0] * i) * x[1];
  });
  typename Mutex::scoped_lock lock;
  if (lock.try_acquire(mutex))
    sum *= x[0];
  return sum * sum;
}

template <class Mutex> static double shared(const double *x) {
  Mutex mutex;
  double sum = x[1];
  tbb::parallel_for(0, 30, [&](int i) {
    typename Mutex::scoped_lock lock(mutex, false);
    double part = x[0] * i;
    lock.upgrade_to_writer();
    sum += sin(part);
  });
  return sum * sum;
}

static double with_mutexes(double *x) {
  return locked<tbb::mutex>(x) + locked<tbb::spin_mutex>(x) + locked<tbb::queuing_mutex>(x) +
         shared<tbb::spin_rw_mutex>(x) + shared<tbb::rw_mutex>(x) + shared<tbb::queuing_rw_mutex>(x);
}

static tbb::task_arena outside(2);

static double in_arenas(double *x) {
  static tbb::task_arena inside(3); /* a derivative may be the first to come here */
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
  double y[64];
  inside.execute([&] { tbb::parallel_for(0, 64, [&](int i) { y[i] = sin(x[0] * i); }); });
  double product = outside.execute([&] { return x[0] * x[1] * y[7]; });
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(0, 64, [&](int i) { y[i] *= x[1]; }); });
  double sum = product;
  for (double v : y)
    sum += v * v;
  return sum;
}

static int threads_of_a_loop() {
  std::set<std::thread::id> threads;
  std::mutex mutex;
  tbb::parallel_for(0, 1000, [&](int) {
    volatile double work = 0;
    for (int k = 0; k < 20000; k++)
      work = work + k;
    std::lock_guard<std::mutex> lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  return (int)threads.size();
}

int main() {
  double x[] = {0.3, 1.7}, dx[2] = {0};
  int before = threads_of_a_loop();
  __enzyme_autodiff((void *)in_arenas, x, dx);
  CHECK(in_arenas, 0.3, 1.7);
  CHECK(with_mutexes, 0.3, 1.7);
  same("several threads", 0, threads_of_a_loop() > 1, before > 1, 0);
  return failures;
}
