/* Unions of floats and pointers in memory of the gradient's caller are exchanged there. */
#include "../check.h"
union word { float pair[2]; float *place; };

static float f(union word *w, int number) {
  union word t = w[0];
  w[0] = w[1], w[1] = t;
  return number ? w[0].pair[0] * w[0].pair[1] : *w[1].place * *w[1].place;
}

int main(void) {
  union word w[2] = {{{1, 2}}, {{3, 4}}}, dw[2] = {{{0}}};
  __enzyme_autodiff((void *)f, w, dw, 1);
  SAME(dw[1].pair[0], 4);
  SAME(dw[1].pair[1], 3);

  float x = 3, dx = 0;
  w[0].place = &x, dw[0].place = &dx;
  w[1].pair[0] = w[1].pair[1] = 1, dw[1].pair[0] = dw[1].pair[1] = 0;
  __enzyme_autodiff((void *)f, w, dw, 0);
  SAME(dx, 6);
  SAME(w[1].place == &x, 1);

  w[0].place = &x, dw[0].place = &dx;
  w[1].pair[0] = 3, w[1].pair[1] = 4, dw[1].pair[0] = 1, dw[1].pair[1] = 0;
  SAME(__enzyme_fwddiff_float((void *)f, w, dw, 1), 4);
  return failures;
}
