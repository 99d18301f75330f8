/* expect: a number is made of the bits of others that carry derivatives, by integer arithmetic [EZ0304]
 * expect: write that part in another way
 * A number is made of the bits of two others by an integer sum, as an interpreter would where tags tell integers. The
 * adjoint tells. */
#ifndef DERIVATIVE
#define DERIVATIVE __enzyme_autodiff
#endif
#include "../check.h"

typedef union {
  double number;
  long integer;
} word;

static double f(double *x, long is_wrong) {
  word a, b, sum;
  a.number = x[0];
  b.number = x[0] * x[1];
  if (is_wrong)
    sum.integer = a.integer + b.integer;
  else
    sum.number = a.number + b.number;
  return sum.number;
}

int main(int count, char **words) {
  double x[2] = {0.7, 0.2}, dx[2] = {1, 0};
  DERIVATIVE((void *)f, x, dx, enzyme_const, (long)count);
  return 0;
}
