/* Exceptions out of deep recursion: its derivative runs on a second stack of the thread, and they leave that, too. */
#include "../../check.h"
#include <stdexcept>
#include <thread>

NOINLINE static double thrower(double *x, long n) {
  if (n == 0) {
    if (x[1] > 5)
      throw std::domain_error("too large");
    return x[0];
  }
  double r = thrower(x, n - 1);
  x[n & 3] += r * 1e-5;
  return sin(r) * x[n & 3] + 0.5 * r;
}

static double outside(double *x) { return thrower(x, 5000); }
static double inside(double *x) {
  try {
    return thrower(x, 300);
  } catch (const std::domain_error &) {
    return x[1] * x[0];
  }
}

static void leave() {
  double x[4] = {0.9, 6, 0.7, 0.4}, dx[4] = {0};
  int caught = 0;
  try {
    __enzyme_autodiff((void *)outside, x, dx);
  } catch (const std::domain_error &e) {
    caught = strcmp(e.what(), "too large") == 0;
  }
  SAME(caught, 1);
}

static void all() {
  CHECK(outside, 0.9, 1.2, 0.7, 0.4);
  leave();
  CHECK(inside, 0.9, 1.2, 0.7, 0.4);
  leave();
  CHECK(inside, 0.9, 6.2, 0.7, 0.4);
  CHECK(outside, 0.9, 1.2, 0.7, 0.4);
}

int main() {
  all();
  std::thread(all).join();
  return failures;
}
