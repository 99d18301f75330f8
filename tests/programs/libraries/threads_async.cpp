/* std::async, and a promise that a thread keeps, in differentiated code: a function runs where it is passed. */
#include "../check.h"
#include <future>
#include <thread>

static double part(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += std::sin(x[i]) * x[i];
  return s;
}
static double async(double *x) {
  auto a = std::async(std::launch::async, part, x, 2);
  auto b = std::async(std::launch::async, part, x + 1, 2);
  return a.get() * b.get();
}

static double promised(double *x) {
  std::promise<double> promise;
  auto product = promise.get_future();
  std::thread thread([&] { promise.set_value(x[0] * x[1]); });
  double r = product.get() * x[2];
  thread.join();
  return r;
}

int main() {
  CHECK(async, .4, .7, .2);
  CHECK(promised, .4, .7, .2);
  return failures;
}
