/* EZ0304: the number of halvings of the exponent is not known, and neither is the slope.
   expect: a number is made of the bits of another that carries a derivative, by integer arithmetic */
#include "../../check.h"
#include <stdint.h>

static double roots(double *x) {
  uint64_t u;
  memcpy(&u, x, 8);
  for (int i = 0; i < (int)x[1]; i++)
    u = (u >> 1) + 0x1ff8000000000000u;
  double y;
  memcpy(&y, &u, 8);
  return y * x[1];
}

int main(void) {
  CHECK(roots, 1.3, 2.2);
  return failures;
}
