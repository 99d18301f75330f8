/* EZ0304: an inverse square root by arithmetic on the bits of a number has no derivative there. */
#include "../check.h"
#include <stdint.h>

static double run(double *x) {
  float v = (float)x[0], half = v / 2;
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  bits = 0x5f3759df - (bits >> 1);
  memcpy(&v, &bits, sizeof v);
  return v * (1.5f - half * v * v);
}

int main(void) {
  CHECK(run, 0.5);
  return failures;
}
