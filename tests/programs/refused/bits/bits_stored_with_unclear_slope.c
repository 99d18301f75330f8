/* EZ0304: two numbers that both have slopes are added to one integer, which is stored where a number is read.
   expect: the bits of a number that carries a derivative are stored after integer arithmetic */
#include "../../check.h"
#include <stdint.h>

static uint64_t bits(double v) {
  uint64_t u;
  memcpy(&u, &v, 8);
  return u;
}
static double stored(double *x) {
  uint64_t both[2] = {bits(x[0]), bits(x[1])};
  both[(int)x[1] & 1] = (bits(x[0]) >> 1) + (bits(x[1]) >> 1);
  double y;
  memcpy(&y, &both[0], 8);
  return y * x[1];
}

int main(void) {
  CHECK(stored, 1.3, 2.2);
  return failures;
}
