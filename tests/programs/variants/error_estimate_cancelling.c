/* x * y - z where the product is rounded, and all that is left of the difference is that error. */
#include "../check.h"

extern double __enzyme_error_estimate(void *, ...);

static double difference_of(double x, double y, double z) { return x * y - z; }

int main(void) {
  volatile double x = 1 / 3.0, y = 1 / 7.0;
  double z = x * y, result = difference_of(x, y, z);
  long double exact = (long double)x * y - z;
  double error = (double)fabsl(exact - result);
  double estimate = __enzyme_error_estimate((void *)difference_of, x, 0.0, y, 0.0, z, 0.0);
  printf("result %g, error %g, estimate %g\n", result, error, estimate);
  failures += !(estimate >= error && estimate <= 1.01 * 0x1p-53 * (fabs(z) + fabs(result)));
  return failures;
}
