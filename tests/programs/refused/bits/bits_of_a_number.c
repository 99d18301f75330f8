/* EZ0304: a number is made of the bits of another that carries a derivative, by integer arithmetic
 * A few leading bits: a step of a staircase, or the number rounded? */
#include "../../check.h"
#include <stdint.h>

static double run(double *x) {
  uint64_t bits;
  double middle;
  memcpy(&bits, x, sizeof bits);
  bits &= 0xffff000000000000;
  memcpy(&middle, &bits, sizeof bits);
  return middle * x[0];
}

int main(void) {
  CHECK(run, 0.5);
  return failures;
}
