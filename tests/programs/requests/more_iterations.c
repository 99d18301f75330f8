/* __enzyme_iter(n, k): n in the primal, k more in the derivative of each order. */
#include "../check.h"

extern unsigned long __enzyme_iter(unsigned long, unsigned long);

/* The first n terms of log(1 - x), with their number. */
static double series(double x) {
  double sum = 0, power = 1;
  unsigned long n = __enzyme_iter(3, 2);
  for (unsigned long i = 1; i <= n; i++) {
    power *= x;
    sum -= power / i;
  }
  return sum;
}

static double first(double x) { return __enzyme_autodiff((void *)series, x); }
static double first_forward(double x) { return __enzyme_fwddiff((void *)series, x, 1.0); }
static double second(double x) { return __enzyme_fwddiff((void *)first, x, 1.0); }

static double powers(double x, int n) { return n ? 1 + x * powers(x, n - 1) : 0; }
static double slopes(double x, int n) {
  double sum = 0;
  for (int i = 1; i < n; i++)
    sum += i * pow(x, i - 1);
  return sum;
}

int main(void) {
  same("primal", 0, series(0.5), -(0.5 + 0.125 + 0.125 / 3), 1e-15);
  same("reverse: five terms", 0, first(0.5), -powers(0.5, 5), 1e-14);
  same("forward: five terms", 0, first_forward(0.5), -powers(0.5, 5), 1e-14);
  same("second order: seven terms", 0, second(0.5), -slopes(0.5, 7), 1e-14);
  return failures;
}
