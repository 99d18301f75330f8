/* std::any: numbers in place, vectors on the heap, copied and replaced; the objects know their type at run time. */
#include "../../check.h"
#include <any>
#include <vector>

static double f(double *x) {
  std::vector<std::any> v;
  v.push_back(x[0]);
  v.push_back(std::vector<double>{x[1], x[2]});
  v.push_back(3);
  auto copy = v;
  return std::any_cast<double>(copy[0]) * std::any_cast<std::vector<double> &>(copy[1])[1] +
         std::any_cast<int>(copy[2]) * x[1];
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
