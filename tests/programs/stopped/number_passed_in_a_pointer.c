/* Functions that are called through pointers pass a number in the bits of a pointer, which has no adjoint.
 * expect: a number that carries a derivative is passed on as a pointer */
#include "../check.h"
typedef union {
  double number;
  void *pointer;
} both;
typedef void *step(void *, double *);

static void *first(void *p, double *x) {
  both word = {.pointer = p};
  word.number = sin(x[0]);
  return word.pointer;
}
static void *second(void *p, double *x) {
  both word = {.pointer = p};
  word.number *= x[1];
  return word.pointer;
}
static void *third(void *p, double *x) {
  both word = {.pointer = p};
  x[2] = word.number;
  return 0;
}
step *steps[] = {first, second, third};

static double f(double *x) {
  void *item = 0;
  for (int i = 0; i < 3; i++)
    item = steps[i](item, x);
  return x[2] * x[2];
}

int main(void) {
  CHECK(f, 0.3, 1.7, 0.1);
  return failures;
}
