/* Functions of the mathematical library as small libraries write them: with the two words of a double, by unions or by
   casts of pointers, and with masks that are shifted by the exponent. */
#include "../check.h"
#include <stdint.h>

#ifdef BY_CASTS
/* What a cast of a pointer reads and writes aliases a double, so that LLVM may not reorder it. */
typedef uint32_t __attribute__((may_alias)) half;
#else
typedef uint32_t half;
#endif
typedef union {
  double number;
  struct {
    uint32_t low, high;
  } word;
} pair;

static void split(double x, int32_t *high, uint32_t *low) {
#ifdef BY_CASTS
  *high = (int32_t)((half *)&x)[1];
  *low = *(half *)&x;
#else
  pair p;
  p.number = x;
  *high = (int32_t)p.word.high;
  *low = p.word.low;
#endif
}

static double joined(int32_t high, uint32_t low) {
#ifdef BY_CASTS
  double x;
  *(1 + (half *)&x) = (half)high;
  *(half *)&x = low;
  return x;
#else
  pair p;
  p.word.high = (uint32_t)high;
  p.word.low = low;
  return p.number;
#endif
}

/* the largest integer that is not above x */
static double own_floor(double x) {
  int32_t high;
  uint32_t low;
  split(x, &high, &low);
  int32_t power = ((high >> 20) & 0x7ff) - 1023;
  if (power < 20) {
    if (power < 0)
      return high >= 0 ? 0.0 : x == 0 ? x : -1.0;
    uint32_t fraction = 0x000fffffu >> power;
    if (((uint32_t)high & fraction) == 0 && low == 0)
      return x;
    if (high < 0)
      high += 0x00100000 >> power;
    high &= (int32_t)~fraction;
    low = 0;
  } else if (power > 51) {
    return x;
  } else {
    uint32_t fraction = 0xffffffffu >> (power - 20);
    if ((low & fraction) == 0)
      return x;
    if (high < 0) {
      if (power == 20) {
        high += 1;
      } else {
        uint32_t sum = low + (1u << (52 - power));
        if (sum < low)
          high += 1;
        low = sum;
      }
    }
    low &= ~fraction;
  }
  return joined(high, low);
}

/* the fraction of x; its integer goes to *whole */
static double own_modf(double x, double *whole) {
  int32_t high;
  uint32_t low;
  split(x, &high, &low);
  int32_t power = ((high >> 20) & 0x7ff) - 1023;
  int32_t sign = high & (int32_t)0x80000000;
  if (power < 0) {
    *whole = joined(sign, 0);
    return x;
  }
  if (power > 51) {
    *whole = x;
    return joined(sign, 0);
  }
  if (power < 20)
    *whole = joined(high & ~(0x000fffff >> power), 0);
  else
    *whole = joined(high, low & ~(0xffffffffu >> (power - 20)));
  return x - *whole;
}

static double own_scalbn(double x, int n) {
  int32_t high;
  uint32_t low;
  split(x, &high, &low);
  int32_t power = (high & 0x7ff00000) >> 20;
  if (power == 0) {
    if ((low | (uint32_t)(high & 0x7fffffff)) == 0)
      return x;
    x *= 0x1p54;
    split(x, &high, &low);
    power = ((high & 0x7ff00000) >> 20) - 54;
  }
  if (power == 0x7ff)
    return x + x;
  power += n;
  if (power > 0x7fe)
    return copysign(INFINITY, x);
  if (power > 0)
    return joined((high & (int32_t)0x800fffff) | (power << 20), low);
  if (power <= -54)
    return copysign(0, x);
  power += 54;
  return joined((high & (int32_t)0x800fffff) | (power << 20), low) * 0x1p-54;
}

static double own_frexp(double x, int *power) {
  int32_t high;
  uint32_t low;
  split(x, &high, &low);
  int32_t size = high & 0x7fffffff;
  *power = 0;
  if (size >= 0x7ff00000 || (size | (int32_t)low) == 0)
    return x;
  if (size < 0x00100000) {
    x *= 0x1p54;
    split(x, &high, &low);
    size = high & 0x7fffffff;
    *power = -54;
  }
  *power += (size >> 20) - 1022;
  return joined((high & (int32_t)0x800fffff) | 0x3fe00000, low);
}

/* e^x = 2^k e^r; k is added to the exponent of e^r */
static double own_exp(double x) {
  int32_t high, k = 0;
  uint32_t low;
  split(x, &high, &low);
  if ((high & 0x7fffffff) >= 0x40862e42)
    return x > 0 ? INFINITY : 0;
  double r = x;
  if ((high & 0x7fffffff) > 0x3fd62e42) {
    k = (int)(x * 1.44269504088896338700 + (high < 0 ? -0.5 : 0.5));
    r = x - k * 6.93147180369123816490e-01 - k * 1.90821492927058770002e-10;
  }
  double sum = 1, term = 1;
  for (int i = 1; i < 20; i++)
    sum += term *= r / i;
  split(sum, &high, &low);
  if (k >= -1021)
    return joined(high + k * (1 << 20), low);
  return joined(high + (k + 1000) * (1 << 20), low) * 0x1p-1000;
}

/* sin of |x| < 2^20: x is reduced by multiples of pi/2, in two steps if the first one cancels */
static double own_sin(double x, int quarter) {
  int32_t high, reduced;
  uint32_t low;
  split(x, &high, &low);
  int32_t size = high & 0x7fffffff, n = 0;
  double r = x, rest = 0;
  if (size > 0x3fe921fb) {
    double positive = joined(size, low);
    n = (int)(positive * 6.36619772367581382433e-01 + 0.5);
    double fn = n, first = positive - fn * 1.57079632673412561417e+00, w = fn * 6.07710050650619224932e-11;
    r = first - w;
    split(r, &reduced, &low);
    if ((size >> 20) - ((reduced >> 20) & 0x7ff) > 16) {
      double second = first;
      w = fn * 6.07710050630396597660e-11;
      first = second - w;
      w = fn * 2.02226624879595063154e-21 - ((second - first) - w);
      r = first - w;
    }
    rest = (first - r) - w;
    if (high < 0)
      n = -n, r = -r, rest = -rest;
  }
  double z = r * r, sine = 0, cosine = 0;
  for (int i = 21; i >= 1; i -= 2) {
    cosine = 1 - z / (i * (i + 1)) * cosine;
  }
  sine = 0;
  double term = r;
  for (int i = 1; i < 24; i += 2, term *= -z / (i * (i - 1)))
    sine += term;
  sine += rest * cosine;
  cosine -= r * rest;
  n += quarter;
  double result = n & 1 ? cosine : sine;
  return n & 2 ? -result : result;
}

/* the integer of x towards zero, by all bits at once: a mask that is shifted down, one shifted up, and that of a float */
static long below_one; /* a branch, and not a select, chooses the mask */
static double own_trunc(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  int power = (int)(bits >> 52 & 0x7ff) - 1023;
  if (power < 52) {
    bits &= power < 0 ? (below_one++, 1ull << 63) : ~(0x000fffffffffffffull >> power);
  }
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double shifted_trunc(double x) {
  union {
    double number;
    uint64_t bits;
  } u = {x};
  int below = 1075 - (int)(u.bits >> 52 & 0x7ff);
  if (below > 52)
    return 0;
  if (below > 0)
    u.bits = u.bits >> below << below;
  return u.number;
}

static float float_trunc(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  int power = (int)(bits >> 23 & 0xff) - 127;
  if (power >= 0 && power < 23)
    bits &= ~((1u << (23 - power)) - 1);
  memcpy(&x, &bits, sizeof x);
  return power < 0 ? 0 : x;
}

static double truncations(double *x) {
  return x[0] * own_trunc(x[0]) + shifted_trunc(x[1]) * x[1] + float_trunc((float)x[0] * 4) * x[1];
}
static double floors(double *x) { return x[0] * own_floor(x[0]) + x[1] * own_floor(x[1] * 1e7); }
static double fractions(double *x) {
  double whole, other, f = own_modf(x[0], &whole), g = own_modf(x[1] * 1e8, &other);
  return sin(f) * whole + g * other;
}
static double scaled(double *x) { return own_scalbn(x[0], 3) * own_scalbn(x[1], -2) + own_scalbn(x[0] * 0x1p-1000, 980) * 1e4; }
static double mantissas(double *x) {
  int p, q;
  double f = own_frexp(x[0], &p), g = own_frexp(x[1] * 100, &q);
  return f * f * p + g * q;
}
static double exponentials(double *x) { return own_exp(x[0]) + own_exp(-x[1]) * own_exp(x[0] * x[1]); }
static double sines(double *x) { return own_sin(x[0], 0) * own_sin(x[1] * 30, 1) + own_sin(-x[0] * 5, 0); }

static void values(void) {
  static const double at[] = {0.3, -0.3, 2.75, -2.75, 1234567.875, -1234567.875, 3e9 + 0.25, -3e9 - 0.25, 4e15 + 0.5, 1e300};
  for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
    double whole, want;
    int p, q;
    same("floor", i, own_floor(at[i]), floor(at[i]), 0);
    same("modf", i, own_modf(at[i], &whole), modf(at[i], &want), 0);
    same("integer", i, whole, want, 0);
    same("frexp", i, own_frexp(at[i], &p), frexp(at[i], &q), 0);
    same("power", i, p, q, 0);
    same("scalbn", i, own_scalbn(at[i], -7), scalbn(at[i], -7), 0);
    same("exp", i, own_exp(at[i] < 1e9 ? at[i] / 1e4 : 1), exp(at[i] < 1e9 ? at[i] / 1e4 : 1), 1e-12);
    same("sin", i, i < 6 ? own_sin(at[i], 0) : 0, i < 6 ? sin(at[i]) : 0, 1e-12);
  }
}

/* Near steps, differences are of no use. */
#define GRADIENT(f, a, b, by_a, by_b)                                                                                  \
  {                                                                                                                    \
    double x[] = {a, b}, dx[] = {0, 0}, v[] = {0.3, -0.7};                                                             \
    __enzyme_autodiff((void *)f, x, dx);                                                                               \
    same(#f, 0, dx[0], by_a, 1e-12);                                                                                   \
    same(#f, 1, dx[1], by_b, 1e-12);                                                                                   \
    same(#f ", forward", 0, __enzyme_fwddiff((void *)f, x, v), 0.3 * (by_a)-0.7 * (by_b), 1e-12);                      \
  }

int main(void) {
  values();
  GRADIENT(floors, 2.6, 1.30000004, 2, 13000000)
  GRADIENT(floors, -2.6, -0.70000003, -3, -7000001)
  GRADIENT(truncations, 2.625, -1.5, 2, -1 + 10)
  GRADIENT(truncations, -0.125, 12.75, 0, 12)
  GRADIENT(floors, 0.25, 3e-8, 0, 0)
  GRADIENT(floors, -0.25, 3e3, -1, 6e10)
  GRADIENT(fractions, 2.6, 1.3, 2 * cos(0.6), 1.3e16)
  GRADIENT(fractions, -5.6, -0.3, -5 * cos(0.6), -3e15)
  GRADIENT(fractions, 0.6, 1e-9, 0, 0)
  CHECK(scaled, 2.6, -1.3);
  CHECK(mantissas, 2.6, -1.3);
  CHECK(mantissas, -0.4, 0.7);
  CHECK(exponentials, 2.6, -1.3);
  CHECK(exponentials, -0.1, 0.2);
  CHECK(sines, 2.6, -1.3);
  CHECK(sines, 0.3, 1.7);
  return failures;
}
