/* expect: points at memory that carries a derivative under another name
 * A constant object refers to the numbers that f is differentiated by. */
#include "../check.h"
#include <vector>

struct view {
  const double &first;
  struct {
    const double *data;
    size_t size;
  } rest;
  double operator()(int k) const { return first * rest.data[k]; }
};
static double f(const view *v, const double *x) { return (*v)(1) * x[0]; }

int main() {
  std::vector<double> x{2, 3, 4}, dx(3);
  view v{x[0], {x.data() + 1, 2}};
  __enzyme_autodiff((void *)f, enzyme_const, &v, x.data(), dx.data());
  return 0;
}
