/* Roots, powers and logarithms guessed from the bits of numbers: exactly the derivatives of the guesses. */
#include "../check.h"
#include <stdint.h>

static double reciprocal_root(double x) {
  double half = 0.5 * x, y = x;
  int64_t i;
  memcpy(&i, &y, 8);
  i = 0x5fe6eb50c7b537a9 - (i >> 1);
  memcpy(&y, &i, 8);
  return y * (1.5 - half * y * y);
}

static float reciprocal_root_of_float(float x) {
  float half = 0.5f * x, y = x;
  int32_t i = *(int32_t *)&y;
  i = 0x5f3759df - (i >> 1);
  y = *(float *)&i;
  y = y * (1.5f - half * y * y);
  return y * (1.5f - half * y * y);
}

/* A third of the high word; then steps of Newton's method. */
static double cube_root(double x) {
  union {
    double f;
    uint64_t i;
  } u = {x};
  uint32_t high = (u.i >> 32) & 0x7fffffff;
  u.i &= 1ull << 63;
  u.i |= (uint64_t)(high / 3 + 715094163) << 32;
  double t = u.f;
  t = t - (t - x / (t * t)) / 3;
  u.f = t, u.i = (u.i + 0x80000000) & 0xffffffffc0000000ull, t = u.f;
  t = t - (t - x / (t * t)) / 3;
  return t - (t - x / (t * t)) / 3;
}

static double base_two_logarithm(double x) {
  union {
    double f;
    uint64_t i;
  } u = {x}, m = {0};
  m.i = (u.i & 0xfffffffffffffull) | 0x3fe0000000000000ull;
  return u.i * 0x1p-52 - 1023 + 0.3 * m.f - 0.2 / (0.35 + m.f);
}

/* Schraudolph 1999, with all bits. */
static double power_of_two(double x) {
  union {
    uint64_t i;
    double f;
  } u = {(uint64_t)(0x1p52 * (x + 1022.94))};
  return u.f;
}

static double roots(double *x) { return reciprocal_root(x[0]) * x[1] + reciprocal_root(x[2]); }
static float float_roots(float *x) { return reciprocal_root_of_float(x[0]) * x[1] + reciprocal_root_of_float(x[2]); }
static double twin(double *x) { return x[1] / sqrt(x[0]) + 1 / sqrt(x[2]); }
static double cube_roots(double *x) { return cube_root(x[0]) * cube_root(x[1]) - cube_root(x[2]); }
static double powers(double *x) { return power_of_two(x[0]) * base_two_logarithm(x[1]) + power_of_two(-x[2]); }

int main(void) {
  CHECK(roots, 1.4, 1.2, 5.5);
  CHECK_FLOAT(float_roots, twin, 1.4, 1.2, 5.5);
  CHECK(cube_roots, 1.4, -27.3, 0.3);
  CHECK(powers, 1.4, 5.5, 2.6);
  return failures;
}
