/* Functions of the mathematical library on double. */
#include "../check.h"

static double many(double *x) {
  double a = x[0], b = x[1], c = x[2];
  return sin(a) * cos(b) + tan(c) + asin(c) * acos(c) + atan(a) + atan2(a, b) + sinh(c) - cosh(c) * tanh(a) +
         asinh(b) + acosh(1 + a) + atanh(c) + exp(c) + exp2(c) + expm1(c) + log(a) + log2(b) + log10(a) + log1p(c) +
         sqrt(a) * cbrt(b) + hypot(a, b) + pow(a, b) + erf(c) + erfc(a) + tgamma(b) + lgamma(a) + fabs(-c);
}

int main(void) {
  CHECK(many, 1.3, 2.1, 0.4);
  return failures;
}
