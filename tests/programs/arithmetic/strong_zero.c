/* enzyme_strong_zero: a zero seed or tangent stays zero where the partial is infinite or not a number, in all modes; what
   is not zero is as ever. */
#include "../check.h"

extern int enzyme_strong_zero;
extern double __enzyme_fwddiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);

static double f(double *x) {
  double a = log(x[0]), b = x[1] / x[0], c = pow(x[0], -0.5), d = asin(1 + x[0]);
  double s = x[1] * x[1];
  return 0 * a + 0 * b + 0 * c + 0 * d + s; /* the primal is not a number; the derivative by x[1] is */
}

static NOINLINE double logarithm(double x) { return log(x); }
static double called(double *x) { return 0 * logarithm(x[0]) + 3 * x[1]; }

int main(void) {
  double x[2] = {0, 3}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_strong_zero, x, dx);
  SAME(dx[0], 0);
  SAME(dx[1], 6);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)called, enzyme_strong_zero, x, dx);
  SAME(dx[0], 0);
  SAME(dx[1], 3);
  memset(dx, 0, sizeof dx);
  void *tape = __enzyme_augmentfwd((void *)called, enzyme_strong_zero, x, dx);
  __enzyme_reverse((void *)called, enzyme_strong_zero, x, dx, 2.0, tape);
  SAME(dx[0], 0);
  SAME(dx[1], 6);
  dx[0] = 0, dx[1] = 1;
  SAME(__enzyme_fwddiff((void *)called, enzyme_strong_zero, x, dx), 3);
  return failures;
}
