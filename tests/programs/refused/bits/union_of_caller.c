/* EZ0304: unions of numbers and pointers are moved in memory that the caller of the gradient passes. */
#include "../../check.h"

union word {
  float pair[2];
  float *place;
};

static float f(union word *w, int number) {
  union word t = w[0];
  w[0] = w[1], w[1] = t;
  return number ? w[0].pair[0] * w[0].pair[1] : *w[1].place;
}

int main(void) {
  union word w[2] = {{{1, 2}}, {{3, 4}}}, dw[2] = {{{0}}};
  __enzyme_autodiff((void *)f, w, dw, 1);
  return dw[1].pair[0] != 4;
}
