/* A word gets the bits of a float on some ways only, and then a counter. Nothing tells which bytes it leaves
   alone. The derivative was silently zero.
   expect: reason: a number is made of the bits of another that carries a derivative, by integer arithmetic */
#include "../../check.h"
#include <stdint.h>

struct parts {
  uint32_t tag;
  float number;
};
static uint64_t packed(int kind, float x) {
  uint64_t word = 0;
  if (kind != 5) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    word = (uint64_t)bits << 32;
  }
  return word | (kind & 255);
}
static NOINLINE void fill(struct parts *all, const double *x) {
  for (int i = 0; i < 8; i++) {
    uint64_t word = packed(i, (float)(x[0] * x[1] + i * x[1]));
    memcpy(&all[i], &word, sizeof word);
  }
}
static NOINLINE double total(const struct parts *all) {
  double sum = 0;
  for (int i = 0; i < 8; i++)
    sum += all[i].tag == 5 ? 0.25 : all[i].number;
  return sum;
}
static double f(double *x) {
  struct parts all[8];
  fill(all, x);
  return total(all);
}

int main(void) {
  CHECK(f, 0.5, 0.7);
  return failures;
}
