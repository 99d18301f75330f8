/* Lambdas that capture by value, by reference and by move; generic ones; recursion; a lambda as a function pointer. */
#include "../../check.h"
#include <functional>
#include <vector>

template <class F> NOINLINE static double apply(const F &f, double x) { return f(x); }
NOINLINE static double through(double (*f)(double), double x) { return f(x); }

static double f(double *x) {
  double a = x[0], b = x[1];
  auto by_value = [a](double t) { return a * t * t; };
  auto by_reference = [&](double t) { return b * t + a; };
  a = 100; // not seen by by_value
  double sum = apply(by_value, x[2]);
  a = x[2];
  sum += apply(by_reference, x[0]);
  auto accumulate = [&sum](auto t) { sum += t * t; };
  accumulate(x[1]);
  accumulate(2);
  std::vector<double> moved{x[0], x[1], x[2]};
  auto owns = [v = std::move(moved)](double t) mutable {
    v[0] += t;
    return v[0] * v[1] * v[2];
  };
  sum += owns(x[0]) + owns(x[1]);
  auto power = [](auto &&self, double t, int n) -> double { return n ? t * self(self, t, n - 1) : 1; };
  sum += power(power, x[1], 5);
  return sum + through([](double t) { return t * cos(t); }, x[2]);
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
