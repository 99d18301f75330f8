/* std::function in the nodes of a tree: function objects without state, closures in place and on the heap. */
#include "../../check.h"
#include <functional>
#include <map>

static double named(double *x) {
  std::map<int, std::function<double(double, double)>> table;
  table[0] = std::multiplies<double>();
  table[1] = [=](double a, double b) { return a * x[0] - b; };
  table[2] = [a = x[1], b = x[2], c = x[0]](double s, double t) { return a * s + b * t + c; };
  double s = x[0];
  for (auto &[key, function] : table)
    s = function(s, x[key]);
  return s;
}

int main() {
  CHECK(named, 0.5, 1.6, 0.7);
  return failures;
}
