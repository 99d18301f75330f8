/* EZ0304: the smaller of two numbers as integers, one of which has half the exponent of another.
   expect: a number is made of the bits of another that carries a derivative, by integer arithmetic */
#include "../../check.h"
#include <stdint.h>

static uint64_t bits(double v) {
  uint64_t u;
  memcpy(&u, &v, 8);
  return u;
}
static double smaller(double *x) {
  uint64_t a = (bits(x[0]) >> 1) + 0x1ff8000000000000u, b = bits(x[1]);
  uint64_t least = a < b ? a : b;
  double y;
  memcpy(&y, &least, 8);
  return y * x[1];
}

int main(void) {
  CHECK(smaller, 1.3, 2.2);
  return failures;
}
