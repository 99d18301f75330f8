/* A union of a number and a pointer is passed and returned in the register of a pointer. */
#include "../check.h"

union word {
  double *place;
  float number;
};

NOINLINE static union word make(double *x, int is_place) {
  union word w;
  w.place = x;
  if (!is_place)
    w.number = (float)*x * 3;
  return w;
}
NOINLINE static double value(union word w, int is_place) { return is_place ? *w.place : w.number * w.number; }

static float f(float *y) {
  double x[4] = {y[0], y[1], y[2], y[3]}, s = 0;
  for (int i = 0; i < 4; i++)
    s += (i + 1) * value(make(x + i, i & 1), i & 1);
  return (float)s;
}

static double twin(double *x) { return 9 * x[0] * x[0] + 2 * x[1] + 27 * x[2] * x[2] + 4 * x[3]; }

int main(void) {
  CHECK_FLOAT(f, twin, 0.5, 1.2, -0.7, 0.3);
  return failures;
}
