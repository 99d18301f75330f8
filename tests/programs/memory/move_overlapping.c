/* memmove upwards and downwards over itself, and by nothing. */
#include "../check.h"

static double move(double *x) {
  double y[6] = {x[0], x[1], x[2], x[3], x[0] * x[1], 1};
  memmove(y + 1, y, 4 * sizeof *y);
  y[0] *= y[4];
  memmove(y, y + 2, 3 * sizeof *y);
  y[3] += y[0] * y[1];
  memmove(y, y, sizeof y);
  int shift = x[0] > 0;
  memmove(y + shift, y + 1, 5 * sizeof *y);
  memmove(y + 1 + shift, y, 4 * sizeof *y);
  double s = 0;
  for (int i = 0; i < 6; i++)
    s += y[i] * y[5 - i] * (i + 1) * x[i % 4];
  return s;
}

int main(void) {
  CHECK(move, 0.5, 1.5, 0.7, 1.1);
  CHECK(move, -0.5, 1.5, 0.7, 1.1);
  return failures;
}
