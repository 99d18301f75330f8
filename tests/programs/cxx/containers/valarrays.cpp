/* std::valarray: element-wise arithmetic, slices, functions, sums. */
#include "../../check.h"
#include <valarray>

static double f(double *x) {
  std::valarray<double> a(x, 4), b(x[1], 4);
  std::valarray<double> c = a * b + std::sin(a) / 2.0;
  c[std::slice(0, 2, 2)] *= b[std::slice(0, 2, 1)];
  c += c.shift(1);
  std::valarray<double> d = c[c > 0.5];
  return (c * a).sum() + d.max() * d.min() + std::pow(a, 2.0).sum() + a.apply([](double t) { return t * t * t; })[2];
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7, 0.9);
  return failures;
}
