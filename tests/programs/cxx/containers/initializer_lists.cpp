/* std::initializer_list of active numbers, designated and nested aggregates, default member initialisers. */
#include "../../check.h"
#include <initializer_list>
#include <vector>

struct polynomial {
  std::vector<double> coefficients;
  polynomial(std::initializer_list<double> c) : coefficients(c) {}
  double operator()(double x) const {
    double s = 0;
    for (double c : coefficients)
      s = s * x + c;
    return s;
  }
};

struct inner {
  double a = 1, b = 2;
};
struct outer {
  inner first, second{3, 4};
  double more[2] = {5, 6};
};

NOINLINE static double largest(std::initializer_list<double> all) {
  double best = *all.begin();
  for (double a : all)
    if (a > best)
      best = a;
  return best;
}

static double f(double *x) {
  polynomial p{x[0], 2.0, x[1], x[2] * x[0]};
  outer o{{x[0]}, {x[1], x[2]}};
  o.more[1] *= o.first.a;
  double s = o.first.b * o.second.a + o.second.b * o.more[1] + o.more[0];
  for (double a : {x[0], x[1] * x[2], 3.0})
    s *= 1 + a * a;
  return s * p(x[2]) * largest({x[0], x[1], x[2]});
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
