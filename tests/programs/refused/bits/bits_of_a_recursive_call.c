/* EZ0304: a number is made of the bits of another that carries a derivative, by integer arithmetic
 * A function gets bits of a number from itself, and sets their exponent. */
#include "../../check.h"
#include <stdint.h>

static uint64_t bits(double v) {
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  return u;
}
static double number(uint64_t u) {
  double v;
  memcpy(&v, &u, sizeof v);
  return v;
}
static uint64_t scaled(uint64_t u, int times) {
  return times <= 0 ? u : (scaled(u, times - 1) & 0xfffffffffffff) | 0x4010000000000000;
}
static double f(double *x) { return number(scaled(bits(x[0]), 1 + (int)(x[1] * x[1] * 2))) * x[0]; }

int main(void) {
  CHECK(f, 0.612, 0.834);
  return failures;
}
