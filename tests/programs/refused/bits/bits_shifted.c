/* EZ0304: a number is made of the bits of another that carries a derivative, by integer arithmetic
 * The remainder of two numbers, by shifting and subtracting their bits. */
#include "../../check.h"
#include <stdint.h>

static double remainder_of(double x, double y) {
  union {
    double f;
    uint64_t i;
  } a = {x}, b = {y};
  int from = (int)(a.i >> 52), to = (int)(b.i >> 52);
  uint64_t one = 1ull << 52, r = (a.i & (one - 1)) | one, d = (b.i & (one - 1)) | one;
  for (; from > to; from--) {
    if (r >= d)
      r -= d;
    r <<= 1;
  }
  if (r >= d)
    r -= d;
  if (r == 0)
    return 0;
  for (; r < one; to--)
    r <<= 1;
  a.i = (r - one) | (uint64_t)to << 52;
  return a.f;
}
static double run(double *x) { return remainder_of(x[0], x[1]); }

int main(void) {
  CHECK(run, 5.3, 2);
  return failures;
}
