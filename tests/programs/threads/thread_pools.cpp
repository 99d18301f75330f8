/* Threads that wait for work: a pool with a queue of functions, consumers made before their producers, promises.
 * flags: -pthread -std=c++17 */
#include "../check.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

enum { N = 6 };

class Pool {
  std::vector<std::thread> threads;
  std::queue<std::function<void()>> jobs;
  std::mutex mutex;
  std::condition_variable wake, idle;
  size_t open = 0;
  bool stops = false;

  void work() {
    for (;;) {
      std::function<void()> job;
      {
        std::unique_lock<std::mutex> lock(mutex);
        wake.wait(lock, [this] { return stops || !jobs.empty(); });
        if (jobs.empty())
          return;
        job = std::move(jobs.front());
        jobs.pop();
      }
      job();
      std::lock_guard<std::mutex> lock(mutex);
      if (--open == 0)
        idle.notify_all();
    }
  }

public:
  explicit Pool(size_t n) {
    for (size_t k = 0; k < n; k++)
      threads.emplace_back(&Pool::work, this);
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      stops = true;
    }
    wake.notify_all();
    for (auto &t : threads)
      t.join();
  }
  void add(std::function<void()> job) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      jobs.push(std::move(job));
      open++;
    }
    wake.notify_one();
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex);
    idle.wait(lock, [this] { return open == 0; });
  }
};

static double pool(double *x) {
  double parts[N], s = 0;
  Pool p(3);
  for (int i = 0; i < N; i++)
    p.add([=, &parts] { parts[i] = sin(x[i]) * x[(i + 1) % N]; });
  p.wait();
  for (int i = 0; i < N; i++)
    p.add([=, &parts] { parts[i] *= parts[i] * x[i]; });
  p.wait();
  for (double part : parts)
    s += part;
  return s * s;
}

/* Two stages; each waits for the one before, and is made first. */
template <typename T> class Channel {
  std::deque<T> items;
  std::mutex mutex;
  std::condition_variable changed;
  size_t room;
  bool closed = false;

public:
  explicit Channel(size_t room) : room(room) {}
  void put(T item) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [this] { return items.size() < room; });
    items.push_back(std::move(item));
    changed.notify_all();
  }
  bool take(T &item) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [this] { return closed || !items.empty(); });
    if (items.empty())
      return false;
    item = std::move(items.front());
    items.pop_front();
    changed.notify_all();
    return true;
  }
  void close() {
    std::lock_guard<std::mutex> lock(mutex);
    closed = true;
    changed.notify_all();
  }
};
static double pipeline(double *x) {
  Channel<double> first(2), second(1);
  double product = 1;
  std::thread last([&] {
    double v;
    while (second.take(v))
      product *= 1 + v * v;
  });
  std::thread middle([&] {
    double v, sum = 0;
    while (first.take(v)) {
      sum += v;
      second.put(sin(sum) * v);
    }
    second.close();
  });
  for (int i = 0; i < N; i++)
    first.put(x[i] * x[(i + 2) % N]);
  first.close();
  middle.join();
  last.join();
  return product;
}

static double promises(double *x) {
  std::promise<double> a, b;
  std::future<double> of_a = a.get_future(), of_b = b.get_future();
  double r = 0;
  std::thread consumer([&] {
    double v = of_a.get();
    b.set_value(v * v * x[0]);
  });
  std::thread producer([&] { a.set_value(sin(x[1]) * x[2]); });
  r = of_b.get();
  consumer.join();
  producer.join();
  return r * r;
}

static double tasks(double *x) {
  std::queue<std::packaged_task<double()>> jobs;
  std::mutex mutex;
  std::condition_variable wake;
  std::vector<std::future<double>> results;
  std::thread worker([&] {
    for (int k = 0; k < N; k++) {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, [&] { return !jobs.empty(); });
      auto job = std::move(jobs.front());
      jobs.pop();
      lock.unlock();
      job();
    }
  });
  for (int i = 0; i < N; i++) {
    std::packaged_task<double()> job([=] { return x[i] * sin(x[(i + 1) % N]); });
    results.push_back(job.get_future());
    std::lock_guard<std::mutex> lock(mutex);
    jobs.push(std::move(job));
    wake.notify_one();
  }
  double s = 1;
  for (auto &r : results)
    s += s * r.get();
  worker.join();
  return s;
}

int main() {
  CHECK(pool, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(pipeline, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(promises, 0.6, -0.7, 1.1);
  CHECK(tasks, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
