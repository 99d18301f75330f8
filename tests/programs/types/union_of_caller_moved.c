/* Unions of numbers and pointers are moved in memory that the caller of the gradient passes. */
#include "../check.h"

union word {
  double *place;
  double number;
};

static double f(union word *w, int number) {
  union word t = w[0];
  w[0] = w[1], w[1] = t;
  return number ? w[0].number * w[0].number : *w[1].place;
}

int main(void) {
  union word w[2] = {{.number = 2}, {.number = 3}}, dw[2] = {{0}};
  double place = 5, dplace = 0;
  __enzyme_autodiff((void *)f, w, dw, enzyme_const, 1);
  SAME(dw[1].number, 6);
  memset(dw, 0, sizeof dw);
  w[0].place = &place, dw[0].place = &dplace;
  __enzyme_autodiff((void *)f, w, dw, enzyme_const, 0);
  SAME(dplace, 1);
  SAME(dw[0].place == &dplace, 1); /* taken back: the shadow describes the argument as it was passed */
  return failures;
}
