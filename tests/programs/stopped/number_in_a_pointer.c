/* expect: a number that carries a derivative was copied, passed or returned in a pointer's register
 * Unions are passed to functions that store them: LLVM passes their bits as a pointer. */
#include "../check.h"

union word {
  double *place;
  float number;
};
struct tagged {
  int kind;
  union word w;
};

static void put(struct tagged *to, union word w) { to->kind = 1, to->w = w; }
static void put_number(struct tagged *to, union word w) { to->kind = 0, to->w = w; }
static void (*const puts_[])(struct tagged *, union word) = {put_number, put};

static double f(double *x, const int *kinds) {
  struct tagged t[4];
  double s = 0;
  for (int i = 0; i < 4; i++) {
    union word w;
    w.place = x + i;
    if (!kinds[i])
      w.number = (float)(x[i] * 3);
    puts_[kinds[i]](t + i, w);
  }
  for (int i = 0; i < 4; i++)
    s += (i + 1) * (t[i].kind ? *t[i].w.place : t[i].w.number * t[i].w.number);
  return s;
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0};
  int kinds[4] = {0, 1, 0, 1};
  __enzyme_autodiff((void *)f, x, dx, enzyme_const, kinds);
  SAME(dx[0], 18);
  return failures;
}
