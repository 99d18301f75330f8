/* The argument is a global that the function uses by its name, too: its shadow is the shadow of that. Of a struct it may be
 * one part while the function uses another. */
#include "../check.h"

static double x[3], x_shadow[3], other[3] = {1, 2, 3};
static struct {
  double in[3], gradient[3], factor;
} parts = {.factor = 2};
NOINLINE static double f(double *y) {
  x[2] *= y[0];
  return y[0] * x[1] + y[2] * other[0];
}
NOINLINE static double of_part(double *y) { return y[0] * y[1] * parts.factor; }
static double f_called(double *at) {
  memcpy(x, at, sizeof x);
  return f(x);
}

int main(void) {
  double at[] = {0.4, -0.7, 1.2};
  memcpy(x, at, sizeof x);
  __enzyme_autodiff((void *)f, x, x_shadow);
  for (int i = 0; i < 3; i++)
    SAME(x_shadow[i], check_difference(f_called, at, 3, i));
  memcpy(parts.in, at, sizeof at);
  __enzyme_autodiff((void *)of_part, parts.in, parts.gradient);
  for (int i = 0; i < 3; i++)
    SAME(parts.gradient[i], check_difference(of_part, at, 3, i));
  return failures;
}
