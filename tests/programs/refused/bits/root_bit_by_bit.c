/* expect: a number is made of the bits of another that carries a derivative
 * Each bit of the root is decided by a comparison: none has a derivative, but the root has. */
#include "../../check.h"
#include <stdint.h>

static double root(double x) {
  uint64_t bits, found = 0;
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 52) - 1023;
  unsigned __int128 fraction = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
  if (exponent & 1)
    fraction *= 2;
  for (uint64_t bit = UINT64_C(1) << 52; bit; bit >>= 1)
    if ((unsigned __int128)(found | bit) * (found | bit) <= fraction << 52)
      found |= bit;
  bits = (uint64_t)((exponent >> 1) + 1023) << 52 | (found & ((UINT64_C(1) << 52) - 1));
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double f(double *x) { return root(x[0] * x[1]); }

int main(void) {
  CHECK(f, 1.2, 3.4);
  return failures;
}
