/* The bits of numbers in integers: carried through memory, sign masks, exponents looked at. */
#include "../check.h"
#include <stdint.h>

static uint64_t bits(double v) { uint64_t u; memcpy(&u, &v, 8); return u; }
static double number(uint64_t u) { double v; memcpy(&v, &u, 8); return v; }

static double carried(double *x) {
  uint64_t store[3];
  for (int i = 0; i < 3; i++)
    store[2 - i] = bits(x[i] * x[i]);
  uint64_t t = store[0];
  store[0] = store[1], store[1] = t;
  return number(store[0]) * number(store[1]) + sin(number(store[2]));
}

static double signs(double *x) {
  double negated = number(bits(x[0]) ^ 0x8000000000000000u);
  double absolute = number(bits(x[1]) & 0x7fffffffffffffffu);
  double minus = number(bits(x[2]) | 0x8000000000000000u);
  return negated * absolute + minus * minus * x[0];
}

static double exponent(double *x) {
  int e = (int)(bits(x[0]) >> 52 & 2047) - 1023;
  return x[0] * x[1] * e + (bits(x[2]) >> 63 ? x[2] * x[2] : x[2]);
}

/* Sorted as integers, in memory that the program calls integers: LLVM makes minima of it. */
static double sorted(double *x) {
  uint64_t b[3];
  memcpy(b, x, sizeof b);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2 - i; j++)
      if (b[j] > b[j + 1]) {
        uint64_t t = b[j];
        b[j] = b[j + 1], b[j + 1] = t;
      }
  return number(b[0]) * 3 + number(b[1]) * number(b[2]);
}

static double smallest(double *x) {
  uint64_t least = bits(x[0]);
  for (int i = 1; i < 3; i++)
    least = bits(x[i]) < least ? bits(x[i]) : least;
  return number(least) * x[0];
}

int main(void) {
  CHECK(carried, 0.5, 1.2, -0.7);
  CHECK(signs, 0.5, -1.2, -0.7);
  CHECK(signs, 0.5, 1.2, 0.7);
  CHECK(exponent, 0.6, 1.2, -0.7);
  CHECK(sorted, 1.3, 2.2, 0.6);
  CHECK(smallest, 1.3, 2.2, 0.6);
  return failures;
}
