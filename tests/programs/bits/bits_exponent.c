/* Exponents and roundings by the bits of numbers, as math libraries write them. */
#include "../check.h"
#include <stdint.h>

static uint64_t bits(double v) { uint64_t u; memcpy(&u, &v, 8); return u; }
static double number(uint64_t u) { double v; memcpy(&v, &u, 8); return v; }
static uint32_t bits_of_float(float v) { uint32_t u; memcpy(&u, &v, 4); return u; }
static float float_number(uint32_t u) { float v; memcpy(&v, &u, 4); return v; }

/* log x = k log 2 + log z with z between 0.7 and 1.4; the exponent of subnormal numbers is found by scaling them. */
static NOINLINE double logarithm(double x) {
  uint64_t ix = bits(x);
  if (ix >> 52 == 0)
    ix = bits(x * 0x1p52) - (52ull << 52);
  uint64_t t = ix - 0x3fe6000000000000u;
  int k = (int64_t)t >> 52;
  double z = number(ix - (t & 0xfffull << 52)), s = (z - 1) / (z + 1), s2 = s * s, sum = 0;
  for (int n = 21; n > 0; n -= 2)
    sum = sum * s2 + 1.0 / n;
  return 2 * s * sum + k * 0.6931471805599453;
}

/* Rounds by adding 1.5 2^52: its last digit is one. The exponent of the result comes out of the sum's last bits. */
static double exponential(double x) {
  double sum = x * 1.4426950408889634 + 0x1.8p52, k = sum - 0x1.8p52;
  double r = x - k * 0.6931471805599453, series = 1;
  for (int n = 14; n > 0; n--)
    series = 1 + r / n * series;
  return series * number((bits(sum) + 1023) << 52);
}

static float exponential_of_float(float x) {
  float sum = x * 1.44269504f + 0x1.8p23f, k = sum - 0x1.8p23f, r = x - k * 0.693147181f, series = 1;
  for (int n = 8; n > 0; n--)
    series = 1 + r / n * series;
  return series * float_number((bits_of_float(sum) + 127) << 23);
}

/* The sign of the constant may be that of the number; and it may stand in a table, as in fdlibm. */
static double nearest_by_sign(double x) {
  double large = copysign(0x1p52, x), sum = x + large;
  return sum - large;
}
static const double two_to_52[] = {0x1p52, -0x1p52};
static double nearest_by_table(double x) {
  double sum = x + two_to_52[bits(x) >> 63];
  return sum - two_to_52[bits(x) >> 63];
}
static long double nearest_long(long double x) { return x + 0x1p63L - 0x1p63L; }

static double nearest(double x) { return x < 0 ? x - 0x1p52 + 0x1p52 : x + 0x1p52 - 0x1p52; }
/* The branch chooses C and -C, each in a value of its own. */
static long below, above;
static double nearest_counted(double x) {
  if (x < 0) {
    below++;
    return x - 0x1p52 + 0x1p52;
  }
  above++;
  return x + 0x1p52 - 0x1p52;
}

/* newlib stores the sum as volatile. */
static double nearest_stored(double x) {
  volatile double sum = x + 0x1p52;
  return sum - 0x1p52;
}

/* To a sixteenth, for a table. */
static double sine(double x) {
  double sum = x + 0x1.8p48, middle = sum - 0x1.8p48, r = x - middle, r2 = r * r;
  int k = (int)(bits(sum) & 1023);
  double table[2] = {sin((k & 512 ? k - 1024 : k) / 16.0), cos((k & 512 ? k - 1024 : k) / 16.0)};
  double s = r * (1 - r2 / 6 * (1 - r2 / 20 * (1 - r2 / 42))), c = 1 - r2 / 2 * (1 - r2 / 12 * (1 - r2 / 30));
  return table[0] * c + table[1] * s;
}

static double fraction(double x) { return number((bits(x) & 0x800fffffffffffffu) | 0x3fe0000000000000u); }
static double scaled(double x, int n) { return number(bits(x) + ((uint64_t)n << 52)); }

/* In words of 32 bits; what would be subnormal is made larger, and then small. */
static uint32_t high_word(double x) { return (uint32_t)(bits(x) >> 32); }
static double with_high_word(double x, uint32_t high) { return number((bits(x) & 0xffffffffu) | (uint64_t)high << 32); }
static NOINLINE double scaled_by_words(double x, int n) {
  int high = (int)high_word(x), k = (high & 0x7ff00000) >> 20;
  if (k == 0) {
    x *= 0x1p54;
    high = (int)high_word(x), k = ((high & 0x7ff00000) >> 20) - 54;
  }
  k += n;
  if (k > 0)
    return with_high_word(x, ((uint32_t)high & 0x800fffff) | (uint32_t)k << 20);
  return with_high_word(x, ((uint32_t)high & 0x800fffff) | (uint32_t)(k + 54) << 20) * 0x1p-54;
}
static double by_words(double *x) {
  return scaled_by_words(x[0], 3) * scaled_by_words(x[1] * 0x1p-1000, 997) + scaled_by_words(x[2] * 0x1p-1000, 2) * 0x1p999;
}

static double logarithms(double *x) { return logarithm(x[0]) * logarithm(x[1]) + logarithm(x[2] * x[0]); }
static double exponentials(double *x) { return exponential(x[0]) + exponential(x[1] * x[2]) * exponential(-x[2]); }
static double sum(float *x) { return exponential_of_float(x[0]) * exponential_of_float(x[1]); }
static float float_sum(float *x) { return (float)sum(x); }
static double twin(double *x) { return exp(x[0]) * exp(x[1]); }
static double reduced(double *x) { return (x[0] - nearest(x[0])) * (x[1] - nearest(x[1])) + sine(x[1]) * sine(x[2]); }
static double rests(double *x) {
  double r = (double)((long double)x[0] - nearest_long(x[0]));
  r *= (x[0] - nearest_by_sign(x[0])) * (x[1] - nearest_counted(x[1])) * (x[2] - nearest_counted(x[2]));
  return r + (x[1] - nearest_by_table(x[1])) * (x[2] - nearest_by_table(x[2]));
}
/* The derivative adds a number of ordinary size to what was rounded. */
static double weighted(double *x) { return x[0] * 0.3 + x[0] * nearest(x[1]) + (x[2] - nearest_stored(x[2])) * x[1]; }
static double parts(double *x) { return fraction(x[0]) * fraction(x[1]) + scaled(x[2], 3) * scaled(x[0], -2); }

int main(void) {
  CHECK(logarithms, 0.6, 5.5, 1.1);
  CHECK(exponentials, 0.3, -1.9, 2.2);
  CHECK_FLOAT(float_sum, twin, 0.3, -1.6);
  CHECK(reduced, 2.3, -1.8, 0.41);
  CHECK(rests, 2.3, -1.8, 0.41);
  CHECK(weighted, 2.3, 1.7, 0.41);
  CHECK(parts, 0.6, -5.5, 1.3);
  CHECK(by_words, 0.6, -5.5, 1.3);
  return failures;
}
