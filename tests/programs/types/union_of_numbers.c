/* A union that holds a double under two names, and an integer at other times. */
#include "../check.h"

union value {
  double d;
  struct {
    double inner;
  } s;
  long l;
};

static double use(double *x) {
  union value v[3];
  double s = 0;
  for (int i = 0; i < 3; i++) {
    v[i].d = x[i] * 2;
    s += v[i].s.inner * x[0];
  }
  v[1].l = 3;
  for (int i = 0; i < 3; i++)
    s *= i == 1 ? (double)v[i].l : v[i].d;
  return s;
}

int main(void) {
  CHECK(use, 0.5, 1.2, 0.7);
  return failures;
}
