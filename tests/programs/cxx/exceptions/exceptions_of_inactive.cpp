/* Functions that are declared inactive throw, and differentiated code catches. */
#include "../../check.h"
#include <enzyme/enzyme.h>
#include <stdexcept>

__attribute__((enzyme("inactive"))) NOINLINE static void validate(double x, int k) {
  if (k % 2)
    throw std::invalid_argument("odd");
  if (x > 1e6)
    throw std::range_error("large");
}

static double f(double *x) {
  double s = x[0];
  for (int k = 0; k < 5; k++)
    try {
      validate(s, k);
      s *= x[1];
    } catch (const std::invalid_argument &e) {
      s += sin(x[2]) * (e.what()[0] == 'o');
    }
  return s;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
