/* A registered gradient wins over a known function's, also where the compiler makes an intrinsic of the call. */
#include "../check.h"

static double augment_sin(double x) { return sin(x); }
static double reverse_sin(double x, double d) { return 5 * d; }
void *__enzyme_register_gradient_sin[] = {(void *)sin, (void *)augment_sin, (void *)reverse_sin};

static double f(double *x) { return sin(x[0]) + cos(x[0]); }
#pragma clang fp exceptions(ignore)
static double g(double *x) { return __builtin_elementwise_sin(x[0]); }

int main(void) {
  double x[1] = {2}, dx[1] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  SAME(dx[0], 5 - sin(2));
  dx[0] = 0;
  __enzyme_autodiff((void *)g, x, dx);
  SAME(dx[0], 5);
  return failures;
}
