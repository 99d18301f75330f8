/* Structs too large for registers: passed byval and returned by sret. */
#include "../check.h"

typedef struct {
  double v[4];
  int n;
  double *p;
} large;

NOINLINE static large make(double *x, int n) {
  large l = {{x[0], x[1] * x[0], n, 1}, n, x};
  return l;
}
NOINLINE static double use(large l) {
  l.v[0] *= l.p[2];
  return l.v[0] * l.v[1] + l.v[2] * l.n;
}
NOINLINE static large twice(large l) {
  for (int i = 0; i < 4; i++)
    l.v[i] *= l.v[(i + 1) % 4];
  return l;
}

static double run(double *x) {
  large a = make(x, 2), b = twice(a);
  double s = use(a) + use(b) * a.v[0];
  b = twice(twice(b));
  return s * use(b);
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  return failures;
}
