/* A pool of threads that the program has made before the request does the work, and has done it before anybody waits:
 * what it does has no derivative.
 * flags: -pthread
 * expect: a thread wakes another one, and differentiated code has made none
 * expect: make the other thread in the request, too */
#include <cmath>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

class Pool {
  std::queue<std::function<void()>> work;
  std::mutex mutex;
  std::condition_variable more, none;
  int left = 0;
  bool ends = false;
  std::thread thread;

  void serve() {
    for (std::unique_lock<std::mutex> lock(mutex);;) {
      more.wait(lock, [this] { return ends || !work.empty(); });
      if (work.empty())
        return;
      std::function<void()> next = std::move(work.front());
      work.pop();
      lock.unlock();
      next();
      lock.lock();
      if (--left == 0)
        none.notify_all();
    }
  }

public:
  Pool() : thread([this] { serve(); }) {}
  ~Pool() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      ends = true;
    }
    more.notify_all();
    thread.join();
  }
  void add(std::function<void()> next) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      work.push(std::move(next));
      left++;
    }
    more.notify_one();
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex);
    none.wait(lock, [this] { return left == 0; });
  }
};

static Pool *pool;

static double sum(double x) {
  double parts[4];
  for (int k = 0; k < 4; k++)
    pool->add([k, x, &parts] { parts[k] = std::sin(x * k); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  pool->wait();
  return parts[1] + parts[2] + parts[3];
}

double __enzyme_autodiff(void *, double);

int main() {
  Pool own;
  pool = &own;
  return __enzyme_autodiff((void *)sum, 0.3) == 0;
}
