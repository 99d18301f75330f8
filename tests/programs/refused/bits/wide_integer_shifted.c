/* EZ0304: two numbers in one integer of 128 bits are shifted by a distance that the link does not know. */
#include "../../check.h"
#include <stdint.h>

typedef unsigned __int128 wide;

static volatile int distance = 64;

static double run(double *x) {
  double y = x[0] * x[1], z;
  uint64_t bits;
  wide w;
  memcpy(&bits, &y, sizeof bits);
  w = (wide)bits << 64;
  w >>= distance;
  bits = (uint64_t)w;
  memcpy(&z, &bits, sizeof z);
  return z;
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
