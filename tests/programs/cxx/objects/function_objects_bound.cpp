/* std::function of bound functions and methods, and of functions that call each other. */
#include "../../check.h"
#include <functional>

using Function = std::function<double(double)>;
using namespace std::placeholders;

struct Line {
  double slope;
  double at(double t, double offset) const { return slope * t + offset * offset; }
};
static double three(double a, double b, double c) { return a * b + c * c * a; }
static double bound(double *x) {
  Line line{x[2]};
  std::function<double(double, double)> swapped = std::bind(three, _2, x[0], _1);
  Function method = std::bind(&Line::at, &line, _1, x[1]);
  return swapped(x[1], x[2]) * method(x[0]);
}

static double recursive(double *x) {
  std::function<double(double, int)> even, odd;
  even = [&](double t, int n) { return n == 0 ? std::sin(t) : odd(t * x[0], n - 1); };
  odd = [&, factor = x[1] * 2](double t, int n) { return n == 0 ? std::cos(t) : factor * even(t + x[2], n - 1); };
  return even(x[0], 4) + odd(x[1], 3);
}

int main() {
  CHECK(bound, 0.7, 1.2, 0.4);
  CHECK(recursive, 0.7, 1.2, 0.4);
  return failures;
}
