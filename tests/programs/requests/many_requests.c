/* The same request from many places and in a loop, beside other requests on the same function. */
#include "../check.h"

static double f(double x, double y) { return x * x * y + sin(x); }
static double g(double x) { return f(x, x); }

int main(void) {
  for (int i = 0; i < 5; i++) {
    double x = 0.3 * i;
    SAME(__enzyme_autodiff((void *)f, x, enzyme_const, 2.0), 4 * x + cos(x));
    SAME(__enzyme_autodiff((void *)f, enzyme_const, x, 2.0), x * x);
    SAME(__enzyme_autodiff((void *)g, x), 3 * x * x + cos(x));
  }
  SAME(__enzyme_autodiff((void *)f, enzyme_out, 1.0, enzyme_const, 2.0), 4 + cos(1));
  SAME(__enzyme_autodiff((void *)f, 1.0, enzyme_const, 3.0), 6 + cos(1));
  double sum = __enzyme_autodiff((void *)g, 1.0) + __enzyme_autodiff((void *)g, 2.0);
  SAME(sum, 3 + cos(1) + 12 + cos(2));
  return failures;
}
