/* Futures: std::async, std::promise, std::packaged_task.
 * flags: -pthread -std=c++20 */
#include "../check.h"
#include <future>
#include <numeric>
#include <thread>
#include <vector>

enum { N = 6 };

static double sum_of_std_async(const double *b, const double *e) {
  if (e - b < 2)
    return *b * *b;
  const double *m = b + (e - b) / 2;
  auto h = std::async(std::launch::async, sum_of_std_async, b, m);
  double r = sum_of_std_async(m, e);
  return r * 0.5 + h.get();
}
static double std_async(double *x) {
  auto d = std::async(std::launch::deferred, [&] { return x[0] * x[1]; });
  auto e = std::async([&] { return x[2] * x[1]; });
  std::vector<std::future<double>> v;
  for (int k = 0; k < 3; k++)
    v.push_back(std::async(std::launch::async, [&, k] { return x[k] * k; }));
  double s = 0;
  for (auto &g : v)
    s += g.get();
  return sum_of_std_async(x, x + N) * d.get() + e.get() * s;
}

static double std_promise(double *x) {
  std::promise<double> p;
  auto fu = p.get_future();
  std::thread t([&] { p.set_value(x[0] * x[1]); });
  fu.wait();
  double r = fu.get() * x[2];
  t.join();
  std::promise<void> q;
  auto fv = q.get_future();
  double z = 0;
  std::thread u([&] {
    z = x[3] * x[4];
    q.set_value();
  });
  fv.get();
  r *= z;
  u.join();
  return r;
}

static double shared_future(double *x) {
  std::promise<double> p;
  std::shared_future<double> fu = p.get_future().share();
  double a = 0, b = 0;
  p.set_value(x[0] * x[1]);
  std::thread t([&, fu] { a = fu.get() * x[2]; }), u([&, fu] { b = fu.get() * x[3]; });
  t.join();
  u.join();
  return a * b;
}

static double packaged_task(double *x) {
  std::packaged_task<double(int)> t([&](int k) { return x[k] * x[0]; });
  auto fu = t.get_future();
  std::thread th(std::move(t), 3);
  double r = fu.get();
  th.join();
  std::packaged_task<double()> u([&] { return x[1] * x[2]; });
  auto g = u.get_future();
  u();
  return r * g.get();
}

static double future_status(double *x) {
  auto a = std::async(std::launch::async, [&] { return x[0] * x[1]; });
  while (a.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
    ;
  return a.get() * x[2];
}

int main() {
  CHECK(std_async, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(std_promise, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(shared_future, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(packaged_task, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(future_status, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
