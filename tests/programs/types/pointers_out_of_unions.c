/* Pointers are taken out of unions and put into others by functions; numbers are members of the same unions. */
#include "../check.h"

struct tagged {
  int kind;
  union {
    double *place;
    float number;
  } u;
};

NOINLINE static void put(struct tagged *to, double *p) { to->kind = 1, to->u.place = p; }
NOINLINE static void put_number(struct tagged *to, float x) { to->kind = 0, to->u.number = x; }
NOINLINE static double sum(const struct tagged *t) {
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += (i + 1) * (t[i].kind ? *t[i].u.place : t[i].u.number * t[i].u.number);
  return s;
}

static double f(double *x) {
  struct tagged t[4], reversed[4];
  for (int i = 0; i < 4; i++)
    if (i & 1)
      put(t + i, x + i);
    else
      put_number(t + i, (float)x[i]);
  for (int i = 0; i < 4; i++)
    if (t[i].kind)
      put(reversed + 3 - i, t[i].u.place);
    else
      put_number(reversed + 3 - i, t[i].u.number);
  return sum(reversed);
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  SAME(dx[0], 8 * x[0]);
  SAME(dx[1], 3);
  SAME(dx[2], 4 * x[2]);
  SAME(dx[3], 1);
  return failures;
}
