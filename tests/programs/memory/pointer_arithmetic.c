/* Pointers that walk, are compared, subtracted, selected, and go through integers. */
#include "../check.h"
#include <stdint.h>

static double walk(double *x) {
  double y[4] = {1, 2, 3, 4}, *end = y + 4, s = 0;
  for (double *p = y, *q = x; p < end; p += 2, q++)
    *p *= *q;
  double *big = x[0] > x[1] ? x : y;
  s += big[1] * (end - y);
  *(big + 2) *= 3;
  uintptr_t bits = (uintptr_t)(y + 2);
  s += *(double *)bits * x[2];
  double *chosen[2] = {x, y};
  for (int i = 0; i < 4; i++)
    s += *(chosen[i & 1] + i) * i;
  return s * end[-3];
}

int main(void) {
  CHECK(walk, 0.5, 1.2, 0.7, 1.3);
  CHECK(walk, 1.5, 1.2, 0.7, 1.3);
  return failures;
}
