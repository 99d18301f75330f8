/* __enzyme_error_estimate of a C++ function with containers and methods, by a template. */
#include "../check.h"
#include <vector>

template <typename Result, typename... Arguments> Result __enzyme_error_estimate(Arguments...);

struct Sum {
  double value = 0;
  void add(double x) { value += x; }
};

static double mean(double x, int n) {
  std::vector<double> values;
  for (int i = 0; i < n; i++)
    values.push_back(std::sqrt(x + i));
  Sum sum;
  for (double v : values)
    sum.add(v);
  return sum.value / n;
}

static long double exact(long double x, int n) {
  long double sum = 0;
  for (int i = 0; i < n; i++)
    sum += sqrtl(x + i);
  return sum / n;
}

int main() {
  double estimate = __enzyme_error_estimate<double>((void *)mean, 0.5, 0.0, 200);
  double error = (double)fabsl(mean(0.5, 200) - exact(0.5L, 200));
  printf("estimate %g, error %g\n", estimate, error);
  failures += !(estimate >= error) || !(estimate < 1000 * error);
  return failures;
}
