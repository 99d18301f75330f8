/* Huge factors beside tiny ones: in another order, the product of partial derivatives overflows or vanishes. */
#include "../check.h"

static double factors[4];

static double product(double *x) {
  double a = factors[0], c = factors[1], b = factors[2], d = factors[3];
  double y = sin(x[0]) * a;
  y *= b;
  y *= c;
  return y * d;
}

static double quotient(double *x) {
  double a = factors[2], c = factors[3], b = factors[0], d = factors[1];
  double y = sin(x[0]) / a;
  y /= b;
  y /= c;
  return y / d;
}

int main(void) {
  for (int i = 0; i < 4; i++)
    factors[i] = pow(10, i < 2 ? -200 : 200);
  CHECK(product, 0.7);
  CHECK(quotient, 0.7);
  return failures;
}
