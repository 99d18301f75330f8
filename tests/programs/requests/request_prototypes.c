/* Requests declared in many ways: typed, void *, variadic, unprototyped, with names that only contain the word. */
#include "../check.h"

extern double __enzyme_autodiff_typed(double (*)(double), double);
extern float __enzyme_autodiff_float(float (*)(float), float);
extern long double __enzyme_autodiff_long(void *, long double);
extern void __enzyme_autodiff_nothing(void *, ...);
extern double __enzyme_autodiff2(void *, int, double, int, double);
extern double my__enzyme_autodiff_of_f(double (*)(double), double);

static double f(double x) { return x * x * x; }
static float single(float x) { return x * x; }
static long double extended(long double x) { return x * x; }
static double both(double x, double y) { return x * y * y; }
static void update(double *x) { x[0] *= x[0]; }

int main(void) {
  SAME(__enzyme_autodiff_typed(f, 2), 12);
  SAME(__enzyme_autodiff_float(single, 2), 4);
  SAME(__enzyme_autodiff_long((void *)extended, 2), 4);
  SAME(__enzyme_autodiff2((void *)both, enzyme_const, 3, enzyme_out, 2), 12);
  SAME(my__enzyme_autodiff_of_f(f, 1), 3);
  double x = 3, dx = 1;
  __enzyme_autodiff_nothing((void *)update, &x, &dx);
  SAME(x, 9);
  SAME(dx, 6);
  return failures;
}
