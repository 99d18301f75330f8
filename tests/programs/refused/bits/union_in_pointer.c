/* EZ0304: a union of a number and a pointer is passed in a pointer's register, which has no adjoint. */
#include "../../check.h"

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

static double f(double *x) {
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += (i + 1) * value(make(x + i, i & 1), i & 1);
  return s;
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  return dx[0] != 18;
}
