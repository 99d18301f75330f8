/* Unions of the caller whose first member is a number: LLVM moves pointers in them through registers of doubles. */
#include "../check.h"

union word {
  double number;
  double *place;
};
struct tagged {
  int kind;
  union word w;
};

static double f(union word *w, int number) {
  union word t = w[0];
  w[0] = w[1], w[1] = t;
  return number ? w[0].number * w[0].number : *w[1].place;
}
static double g(struct tagged *w, int n) {
  struct tagged t = w[0];
  double s = 0;
  w[0] = w[1], w[1] = t;
  for (int i = 0; i < n; i++)
    s += (i + 1) * (w[i].kind ? *w[i].w.place * *w[i].w.place : w[i].w.number * w[i].w.number);
  return s;
}

int main(void) {
  union word w[2] = {{.number = 2}, {.number = 3}}, dw[2] = {{0}};
  double x = 5, dx = 0;
  __enzyme_autodiff((void *)f, w, dw, enzyme_const, 1);
  SAME(dw[1].number, 6);
  memset(dw, 0, sizeof dw);
  w[0].place = &x, dw[0].place = &dx;
  __enzyme_autodiff((void *)f, w, dw, enzyme_const, 0);
  SAME(dx, 1);
  SAME(dw[0].place == &dx, 1); /* taken back: the shadow describes the argument as it was passed */

  struct tagged v[2] = {{0, {.number = 2}}, {1, {.place = &x}}}, dv[2];
  memset(dv, 0, sizeof dv);
  dx = 0, dv[1].w.place = &dx;
  __enzyme_autodiff((void *)g, v, dv, enzyme_const, 2);
  SAME(dv[0].w.number, 8);
  SAME(dx, 10);
  return failures;
}
