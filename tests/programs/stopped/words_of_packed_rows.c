/* expect: two adjoints meet where numbers of several types, or parts of numbers, share a place that was copied */
#include "../check.h"

/* Packed rows of unions are written in loops: neither accesses nor addresses tell where a word begins. */
union word {
  double d;
  double *p;
};
struct __attribute__((packed, aligned(4))) row {
  int m;
  union word u[3];
};
struct whole {
  int n, m;
  union word u[3];
};

NOINLINE static double read(const struct whole *w) {
  double s = 0;
  for (int k = 0; k < 3; k++)
    s += (w->m >> k) & 1 ? w->u[k].p[k] : w->u[k].d * (k + 1);
  return s;
}

static double f(double *x) {
  struct row rows[2];
  struct whole w;
  double s = 0;
  for (int k = 0; k < 4; k++) {
    struct row *r = &rows[k & 1];
    r->m = k < 2 ? 2 : 5;
    for (int j = 0; j < 3; j++)
      if ((r->m >> j) & 1)
        r->u[j].p = x;
    for (int j = 0; j < 3; j++)
      if (!((r->m >> j) & 1))
        r->u[j].d = x[j] * x[k] + s;
    memcpy((char *)&w + 4, r, sizeof *r);
    s += read(&w) * x[0];
    s += k < 2 ? r->u[1].p[0] * r->u[0].d : r->u[0].p[1] * r->u[1].d;
  }
  return s;
}

int main(void) {
  double x[] = {0.7, -0.4, 1.1, 0.9}, dx[4] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  return 0;
}
