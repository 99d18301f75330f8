/* Functions that LLVM does not inline pass and return the bits of numbers, whole or in parts. */
#include "../check.h"
#include <stdint.h>

#define APART __attribute__((noinline)) static

APART uint64_t bits(double v) { uint64_t u; memcpy(&u, &v, 8); return u; }
APART double number(uint64_t u) { double v; memcpy(&v, &u, 8); return v; }

APART uint64_t add_to_exponent(uint64_t u, int n) { return u + ((uint64_t)n << 52); }
APART uint64_t add_again(uint64_t u, int n) { return add_to_exponent(add_to_exponent(u, n), n); }
static double scaled(double *x) { return number(add_again(bits(x[0] * x[1]), 2)) * x[0]; }

static double smallest(double *x) {
  uint64_t least = bits(x[0]);
  for (int i = 1; i < 3; i++)
    least = bits(x[i]) < least ? bits(x[i]) : least;
  return number(least) * x[0];
}

typedef struct { uint32_t low, high; } words;
APART words split(double v) { uint64_t u = bits(v); return (words){(uint32_t)u, (uint32_t)(u >> 32)}; }
APART double joined(words w) { return number((uint64_t)w.high << 32 | w.low); }
static double absolute(double *x) {
  words w = split(x[0] * x[1]);
  w.high &= 0x7fffffffu;
  return joined(w) * x[1];
}

APART void split_to(double v, uint32_t *high, uint32_t *low) { *high = bits(v) >> 32, *low = (uint32_t)bits(v); }
APART double joined_from(const uint32_t *high, const uint32_t *low) { return number((uint64_t)*high << 32 | *low); }
static double halved(double *x) {
  uint32_t high, low;
  split_to(sin(x[0]), &high, &low);
  high -= 1u << 20;
  return joined_from(&high, &low) * x[1];
}

/* a hash is no number: its slope is zero */
APART uint64_t hash(double v) { uint64_t u = bits(v); u ^= u >> 33; u *= 0xff51afd7ed558ccdu; return u ^ u >> 33; }
static double hashed(double *x) {
  double table[8] = {0};
  for (int i = 0; i < 3; i++)
    table[hash(x[i]) & 7] += x[i] * x[i];
  double sum = 0;
  for (int i = 0; i < 8; i++)
    sum += table[i] * 1.5;
  return sum;
}

APART int exponent(double v) { return (int)(bits(v) >> 52 & 2047) - 1023; }
static double by_exponent(double *x) {
  return x[0] * exponent(x[0] * 9) + x[1] * number(bits(1.0) + ((uint64_t)exponent(x[1]) << 52));
}

APART uint64_t step(uint64_t u, int n) { return n == 0 ? u : step(u + (1ull << 52), n - 1); }
static double doubled_in_steps(double *x) { return number(step(bits(x[0]), (int)x[2])) * x[1]; }

/* in memory that holds the bits of numbers, LLVM stores some as numbers, and some as integers */
APART void negate(uint64_t *u) { *u ^= 0x8000000000000000u; }
static double chosen_in_array(double *x) {
  uint64_t both[] = {bits(x[0] * 3), bits(x[1])};
  both[(int)x[2] & 1] = both[1] + (2ull << 52);
  negate(&both[1]);
  return number(both[0]) * x[1] + number(both[1]);
}
static double chosen(double *x) { return number(x[1] > 1 ? bits(x[0]) + (1ull << 52) : bits(x[0])) * x[1]; }

int main(void) {
  CHECK(scaled, 0.6, 1.3);
  CHECK(smallest, 1.3, 2.2, 0.6);
  CHECK(absolute, -0.6, 1.3);
  CHECK(halved, 0.8, 1.3);
  CHECK(hashed, 1.3, 2.2, 0.6);
  CHECK(by_exponent, 1.3, 2.2);
  CHECK(doubled_in_steps, 1.3, 2.2, 3.5);
  CHECK(chosen_in_array, 1.3, 2.2, 0.5);
  CHECK(chosen_in_array, 1.3, 2.2, 1.5);
  CHECK(chosen, 1.3, 2.2);
  CHECK(chosen, 1.3, 0.7);
  return failures;
}
