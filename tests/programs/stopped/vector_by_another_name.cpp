/* expect: points at memory that carries a derivative under another name
 * A constant view holds the address of the numbers of a vector, which is passed by reference. */
#include "../check.h"
#include <vector>

struct view {
  const double *data;
  size_t size;
};
struct views {
  std::vector<view> all;
};

static double f(const views &constant, const std::vector<double> &x) {
  double sum = 0;
  for (const view &v : constant.all)
    for (size_t k = 0; k < v.size; k++)
      sum += v.data[k] * x[0];
  return sum;
}

int main() {
  std::vector<double> x{2, 3, 4}, dx(3), other{1, 2};
  views constant{{{other.data(), 2}, {x.data(), 3}}};
  __enzyme_autodiff((void *)f, enzyme_const, &constant, &x, &dx);
  return 0;
}
