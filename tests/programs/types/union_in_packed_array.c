/* Unions in an array of packed structs: words begin at multiples of 4. Storing a number leaves the pointer beside it. */
#include "../check.h"

union word {
  double d;
  double *p;
};
struct __attribute__((packed, aligned(4))) row {
  int m;
  union word u[2];
};
struct whole {
  int n, m;
  union word u[2];
};

NOINLINE static double value(const struct whole *w) {
  return w->m ? w->u[0].p[1] * w->u[1].d : w->u[1].p[0] * w->u[0].d;
}

static double f(double *x) {
  struct row rows[2];
  struct whole w;
  double s = 0;
  for (int k = 0; k < 4; k++) {
    struct row *r = &rows[(k >> 1) & 1];
    r->m = k & 1;
    if (r->m)
      r->u[0].p = x, r->u[1].d = x[0] * x[k];
    else
      r->u[1].p = x, r->u[0].d = x[1] * x[k] + s;
    memcpy((char *)&w + 4, r, sizeof *r);
    s += value(&w) * x[0];
    s += r->m ? r->u[0].p[2] * r->u[1].d : r->u[1].p[3] * r->u[0].d;
  }
  return s;
}

int main(void) {
  CHECK(f, 0.7, -0.4, 1.1, 0.9);
  return failures;
}
