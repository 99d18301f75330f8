/* A function that has no derivative, too long to be inlined, is called under conditions that never hold. */
#include "../check.h"

#define ROOT __asm__("sqrtsd %0, %0" : "+x"(x));
#define ROOTS ROOT ROOT ROOT ROOT ROOT ROOT ROOT ROOT
#define MANY ROOTS ROOTS ROOTS ROOTS ROOTS ROOTS ROOTS ROOTS
static double assembled(double x) {
  MANY MANY
  return x;
}

static int kind;

static double value(double x) {
  switch (kind) {
  case 0: return x * x * x;
  case 1: return assembled(x);
  case 2: return -assembled(x);
  default: return -x;
  }
}

static double f(double *x) { return value(x[0]) * x[1]; }

int main(int argc, char **argv) {
  kind = argv ? argc - 1 : 1;
  CHECK(f, 1.5, 0.7);
  return failures;
}
