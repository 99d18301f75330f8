/* Numbers of 16 bits, as storage and in arithmetic, against the same in double. */
#include "../check.h"

static float half(float *x) {
  _Float16 a = (_Float16)x[0], table[2] = {a * a, (_Float16)x[1]};
  _Float16 s = table[0] * table[1] + a;
  return (float)s * 2 + (float)table[1];
}

static float brain(float *x) {
  __bf16 a = (__bf16)x[0], b = (__bf16)x[1];
  float s = (float)a * (float)b;
  return s * s + (float)a;
}

int main(void) {
  float x[2] = {0.5f, 1.25f}, dx[2] = {0};
  __enzyme_autodiff((void *)half, x, dx);
  SAME(dx[0], 2 * (2 * 0.5 * 1.25 + 1));
  SAME(dx[1], 2 * 0.25 + 1);
  dx[0] = dx[1] = 0;
  __enzyme_autodiff((void *)brain, x, dx);
  SAME(dx[0], 2 * 0.625 * 1.25 + 1);
  SAME(dx[1], 2 * 0.625 * 0.5);
  return failures;
}
