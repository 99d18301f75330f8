/* Structs passed and returned by value, in registers. */
#include "../check.h"

typedef struct {
  double re, im;
} number;

NOINLINE static number multiply(number a, number b) {
  return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
NOINLINE static number add(number a, number b) { return (number){a.re + b.re, a.im + b.im}; }

static double iterate(double *x) {
  number z = {0, 0}, c = {x[0], x[1]};
  for (int i = 0; i < 6; i++)
    z = add(multiply(z, z), c);
  return z.re * z.re + z.im * z.im;
}

int main(void) {
  CHECK(iterate, 0.25, 0.4);
  return failures;
}
