/* Third derivatives of a function of one number, in all eight orders of the modes. */
#include "../check.h"

static double f(double x) {
  double s = x;
  for (int i = 0; i < 3; i++)
    s = sin(s) * x + x * x * x;
  return s;
}

#define FORWARD(g) __enzyme_fwddiff((void *)g, x, 1.0)
#define REVERSE(g) __enzyme_autodiff((void *)g, x)
#define DERIVATIVE(name, g, MODE)                                                                                      \
  static double name(double x) { return MODE(g); }
DERIVATIVE(f_f, f, FORWARD)
DERIVATIVE(f_r, f, REVERSE)
DERIVATIVE(f_ff, f_f, FORWARD)
DERIVATIVE(f_fr, f_f, REVERSE)
DERIVATIVE(f_rf, f_r, FORWARD)
DERIVATIVE(f_rr, f_r, REVERSE)

int main(void) {
  double x = 0.8, second = difference(f_f, x), third = difference(f_ff, x);
  SAME(f_f(x), difference(f, x));
  SAME(f_ff(x), second);
  SAME(f_fr(x), second);
  SAME(f_rf(x), second);
  SAME(f_rr(x), second);
  SAME(FORWARD(f_ff), third);
  SAME(FORWARD(f_fr), third);
  SAME(FORWARD(f_rf), third);
  SAME(FORWARD(f_rr), third);
  SAME(REVERSE(f_ff), third);
  SAME(REVERSE(f_fr), third);
  SAME(REVERSE(f_rf), third);
  SAME(REVERSE(f_rr), third);
  return failures;
}
