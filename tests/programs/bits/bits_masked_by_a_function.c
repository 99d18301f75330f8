/* Functions of integers drop the last bits of numbers, and code stores the result where it reads numbers. */
#include "../check.h"
#include <stdint.h>

static double kept[4];

static NOINLINE uint64_t rounded(uint64_t bits) { return bits & ~(uint64_t)0xffff; }

static NOINLINE void keep(double *place, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = rounded(bits);
  memcpy(place, &bits, sizeof bits);
}

static double f(double *x) {
  double s = 0;
  for (int i = 0; i < 4; i++)
    keep(kept + i, x[i] * x[i]);
  for (int i = 0; i < 4; i++)
    s += kept[i] * x[i];
  return s;
}

int main(void) {
  double x[] = {0.7, 0.96, 1.12, 1.18}, dx[4] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  for (int i = 0; i < 4; i++)
    SAME(dx[i], 3 * x[i] * x[i]);
  return failures;
}
