/* modf, frexp, ldexp, and sincos made of sin and cos: clang makes intrinsics of them that return structs. */
#include "../check.h"

static double parts(double *x) {
  double whole, fraction = modf(x[0] * 3, &whole);
  int exponent;
  double mantissa = frexp(x[1], &exponent);
  return fraction * fraction * whole + mantissa * mantissa * exponent + ldexp(x[0], exponent) * x[1] + sin(x[0]) * cos(x[0]);
}

int main(void) {
  CHECK(parts, 1.234, 5.25);
  CHECK(parts, -2.6, 0.3);
  return failures;
}
