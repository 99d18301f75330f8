/* Second derivatives of functions that are written with the bits of numbers: guesses are linear, piece by piece. */
#include "../check.h"
#include <stdint.h>

static double exponential(double x) {
  double sum = x * 1.4426950408889634 + 0x1.8p52, r = x - (sum - 0x1.8p52) * 0.6931471805599453, series = 1;
  uint64_t bits;
  memcpy(&bits, &sum, 8);
  bits = (bits + 1023) << 52;
  double scale;
  memcpy(&scale, &bits, 8);
  for (int n = 14; n > 0; n--)
    series = 1 + r / n * series;
  return series * scale;
}

static double logarithm(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  uint64_t t = bits - 0x3fe6000000000000u, z_bits = bits - (t & 0xfffull << 52);
  double z, sum = 0;
  memcpy(&z, &z_bits, 8);
  double s = (z - 1) / (z + 1), s2 = s * s;
  for (int n = 21; n > 0; n -= 2)
    sum = sum * s2 + 1.0 / n;
  return 2 * s * sum + ((int64_t)t >> 52) * 0.6931471805599453;
}

static double cube(double x) {
  uint64_t bits;
  double y;
  memcpy(&bits, &x, 8);
  bits = 0x5fe6eb50c7b537a9 - (bits >> 1);
  memcpy(&y, &bits, 8);
  return y * y * y;
}

static double value(double *x) { return exponential(x[0] * x[1]) * logarithm(x[2]) + cube(x[1]) * cube(x[2]); }

static double directional(double *x) {
  double dx[3] = {0}, v[] = {0.3, -0.7, 1.1}, total = 0;
  __enzyme_autodiff((void *)value, x, dx);
  for (int i = 0; i < 3; i++)
    total += dx[i] * v[i];
  return total;
}

int main(void) {
  CHECK(value, 0.6, 1.4, 5.5);
  CHECK(directional, 0.6, 1.4, 5.5);
  return failures;
}
