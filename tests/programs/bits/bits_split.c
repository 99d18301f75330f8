/* Numbers split by their bits, put together of halves of others, and compared as integers. */
#include "../check.h"
#include <stdint.h>

union word {
  double f;
  uint64_t i;
  struct {
    uint32_t low, high;
  } half;
};

static double without_low_half(double x) {
  union word u = {x};
  u.half.low = 0;
  return u.f;
}

/* The product with its rounding error. */
static double product(double x, double y) {
  double xh = without_low_half(x), yh = without_low_half(y), xl = x - xh, yl = y - yh, p = x * y;
  return p + (xh * yh - p + xh * yl + xl * yh + xl * yl);
}

/* The exponent of one half word is changed; the other is put back. */
static double between_one_and_two(double x) {
  union word u = {x};
  uint32_t high = u.half.high, low = u.half.low;
  u.half.high = (high & 0xfffff) | 0x3ff00000;
  u.half.low = low;
  return u.f;
}

static double larger(double x, double y) {
  union word a = {x}, b = {y};
  a.i &= -1ull >> 1, b.i &= -1ull >> 1;
  if (a.i < b.i) {
    union word t = a;
    a = b, b = t;
  }
  return a.f * a.f + sin(b.f);
}

static double toward_zero(double x, int steps) {
  union word u = {x};
  for (int k = 0; k < steps; k++)
    u.i--;
  return u.f;
}

static double products(double *x) { return product(x[0], x[1]) * product(x[2], x[0]); }
static double halves(double *x) { return between_one_and_two(x[0]) * between_one_and_two(x[1]) + x[2]; }
static double compared(double *x) { return larger(x[0], x[1]) * larger(x[2], x[1]) + toward_zero(x[0] * x[1], 3); }

int main(void) {
  CHECK(products, 1.4, -1.2, 5.5);
  CHECK(halves, 0.6, 5.5, -1.1);
  CHECK(compared, 1.4, -2.2, 0.5);
  return failures;
}
