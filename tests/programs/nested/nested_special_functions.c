/* Third derivatives of functions whose first ones call the runtime: the gamma family, and others whose rules are calls. */
#include "../check.h"

static double f(double x) { return lgamma(x) + 0.1 * tgamma(x) + j0(x) * erf(x) + cbrt(x); }
static long double fl(long double x) { return lgammal(x); }
extern long double __enzyme_autodiff_long(void *, ...), __enzyme_fwddiff_long(void *, ...);

static double first(double x) { return __enzyme_autodiff((void *)f, x); }
static double second(double x) { return __enzyme_fwddiff((void *)first, x, 1.0); }
static double third(double x) { return __enzyme_autodiff((void *)second, x); }
static long double first_long(long double x) { return __enzyme_autodiff_long((void *)fl, x); }
static long double second_long(long double x) { return __enzyme_fwddiff_long((void *)first_long, x, 1.0L); }

/* central difference of sixth order */
static double change(double (*g)(double), double x) {
  const double h = 1.0 / 256;
  return (45 * (g(x + h) - g(x - h)) - 9 * (g(x + 2 * h) - g(x - 2 * h)) + (g(x + 3 * h) - g(x - 3 * h))) / (60 * h);
}

int main(void) {
  const double at[] = {0.7, 2.5, 11, -1.6};
  for (int i = 0; i < 4; i++) {
    same("first", i, first(at[i]), change(f, at[i]), 1e-8);
    same("second", i, second(at[i]), change(first, at[i]), 1e-8);
    same("third", i, third(at[i]), change(second, at[i]), 1e-8);
  }
  /* the trigamma function at 1/4: pi^2 + 8 G, G Catalan's constant */
  same("trigamma", 0, second_long(0.25L), 17.19732915450711073927131911933520562L, 1e-17);
  return failures;
}
