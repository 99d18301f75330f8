/* Formats with 50 to 52 bits of mantissa: operations are rounded once, from their exact result. */
#include "../check.h"
#include <stdint.h>

typedef double function(double, double, double);
extern function *__enzyme_truncate_op_func(function *, int, int, int);

static double plus(double a, double b, double c) { return a + b; }
static double times(double a, double b, double c) { return a * b; }
static double over(double a, double b, double c) { return a / b; }
static double root(double a, double b, double c) { return sqrt(fabs(a)); }
static double fused(double a, double b, double c) { return fma(a, b, c); }

static uint64_t state = 88172645463325252u;
static uint64_t next(void) { return state ^= state << 13, state ^= state >> 7, state ^= state << 17; }

/* a number of `bits` bits of mantissa near 1: products and sums of such have few bits, and are often halfway */
static double number(int bits) {
  double x = 1 + ldexp((double)(next() >> 11), -53);
  return copysign(ldexp(nearbyint(ldexp(x, bits)), -bits), next() & 1 ? 1 : -1);
}

/* x + rest, an exact value, rounded to `bits` bits of mantissa: first in quadruple precision, which holds it exactly */
static double nearest(__float128 exact, int bits) {
  __float128 size = exact < 0 ? -exact : exact, unit = 1;
  while (size >= unit * 2)
    unit *= 2;
  while (size < unit)
    unit /= 2;
  unit = unit / ((uint64_t)1 << bits);
  __float128 units = size / unit;
  uint64_t whole = (uint64_t)units;
  __float128 rest = units - whole;
  whole += rest > 0.5 || (rest == 0.5 && (whole & 1));
  double result = (double)(whole * unit);
  return exact < 0 ? -result : result;
}

static void equal(const char *what, int bits, double a, double b, double got, double want) {
  if (got != want) {
    failures++;
    if (failures < 20)
      printf("WRONG %s in %d bits of %a, %a: %a, expected %a\n", what, bits, a, b, got, want);
  }
}

#define COMPARE(BITS)                                                                                                  \
  {                                                                                                                    \
    double a = nearest(number(10 + i % 43), BITS), b = nearest(number(10 + i / 7 % 43), BITS), c = nearest(a * b, BITS); \
    double d = nearest(ldexp(b, (int)(i % 60) - 55), BITS);                                                            \
    equal("sum", BITS, a, d, __enzyme_truncate_op_func(plus, 64, 11, BITS)(a, d, c), nearest((__float128)a + d, BITS)); \
    equal("product", BITS, a, b, __enzyme_truncate_op_func(times, 64, 11, BITS)(a, b, c),                              \
          nearest((__float128)a * b, BITS));                                                                           \
    equal("quotient", BITS, a, b, __enzyme_truncate_op_func(over, 64, 11, BITS)(a, b, c),                              \
          nearest((__float128)a / b, BITS));                                                                           \
  }

int main(void) {
  for (int i = 0; i < 20000; i++) {
    COMPARE(50)
    COMPARE(51)
    COMPARE(52)
  }
  /* 52 bits of mantissa and 8 of exponent: only the range is another one, and small numbers lose bits */
  equal("large", 52, 0x1p100, 0x1p100, __enzyme_truncate_op_func(times, 64, 8, 52)(0x1p100, 0x1p100, 0), INFINITY);
  equal("third", 52, 1, 3, __enzyme_truncate_op_func(over, 64, 8, 52)(1, 3, 0), 1 / 3.0);
  double a = 0x1.fffffffffffffp-64, b = 0x1.0000000000001p-63; /* their product is 2^-126 (1 - 2^-52 + …): subnormal */
  equal("small", 52, a, b, __enzyme_truncate_op_func(times, 64, 8, 52)(a, b, 0), 0x1.0000000000000p-126);
  equal("root", 51, 2, 0, __enzyme_truncate_op_func(root, 64, 11, 51)(2, 0, 0), 0x1.6a09e667f3bccp+0);
  double x = 1 + 0x1p-51, y = 1 - 0x1p-51; /* x y = 1 - 2^-102: added to 2^51 + 1/2, just less than halfway */
  equal("fused", 51, x, y, __enzyme_truncate_op_func(fused, 64, 11, 51)(x, y, 0x1p52 + 2), 0x1p52 + 2);
  printf("%d wrong\n", failures);
  return failures != 0;
}
