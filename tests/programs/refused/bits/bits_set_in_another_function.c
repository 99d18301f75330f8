/* EZ0304: a function reads the bits of a number as a declared integer, which other code copied there, and sets those of
 * another integer one by one. Its caller makes a number of that. */
// expect: the bits of a number are set one by one, by tests of the bits of another that carries a derivative
#include "../../check.h"
#include <stdint.h>

struct key {
  int id;
  uint64_t bits;
};

NOINLINE static uint64_t copied(const struct key *key) {
  uint64_t copy = 0;
  for (uint64_t bit = 1ull << 63; bit; bit >>= 1)
    if ((copy | bit) <= key->bits)
      copy |= bit;
  return copy;
}

static double f(double *x) {
  struct key key = {3, 0};
  memcpy(&key.bits, x, sizeof key.bits);
  uint64_t bits = copied(&key);
  double y;
  memcpy(&y, &bits, sizeof y);
  return y * x[1] + x[2];
}

int main(void) {
  CHECK(f, 0.7, 1.3, 0.4);
  return failures;
}
